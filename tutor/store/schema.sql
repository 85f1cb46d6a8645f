-- The event table is the truth; every other table is rebuilt from it by `tutor doctor`.
CREATE TABLE event (
    device TEXT NOT NULL,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    v INTEGER NOT NULL,
    hlc TEXT NOT NULL,
    utc_us INTEGER NOT NULL,
    mono_ms INTEGER NOT NULL,
    offset_min INTEGER NOT NULL,
    zone TEXT NOT NULL,
    study_day TEXT NOT NULL,
    clock_suspect INTEGER NOT NULL,
    app TEXT NOT NULL,
    prev TEXT NOT NULL,
    hash TEXT NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (device, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_order ON event (hlc, device, seq);
-- Answers are by far the most events and are found through `review`: the next two leave them out, so that an answer writes less.
CREATE INDEX event_kind ON event (kind, hlc) WHERE kind != 'answered';
CREATE INDEX event_item ON event (json_extract(payload, '$.item')) WHERE kind IN ('suspended', 'resumed', 'revised');
CREATE INDEX event_suspect ON event (hlc) WHERE clock_suspect = 1;
-- How far the events of each device that wrote here are laid over the tables below; later ones are durable and wait.
CREATE TABLE laid (
    device TEXT PRIMARY KEY,
    seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER event_is_never_rewritten BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are never rewritten'); END;
CREATE TRIGGER event_is_never_removed BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are never removed'); END;

-- concept, chance: of the item as it was last answered; chance is that of a right answer without knowledge.
CREATE TABLE card (
    item TEXT PRIMARY KEY,
    stability REAL NOT NULL,
    difficulty REAL NOT NULL,
    last_us INTEGER NOT NULL,
    first_day TEXT NOT NULL,
    last_day TEXT NOT NULL,
    due TEXT NOT NULL,
    interval INTEGER NOT NULL,
    reps INTEGER NOT NULL,
    lapses INTEGER NOT NULL,
    recent TEXT NOT NULL,
    rev INTEGER NOT NULL,
    suspended INTEGER NOT NULL,
    concept TEXT NOT NULL,
    chance REAL NOT NULL
) STRICT, WITHOUT ROWID;
-- All that the choice of a day's questions looks at. suspended is named again: SQLite looks at it in each row, and would look the row up
-- for it.
CREATE INDEX card_due ON card (due, stability, last_us, difficulty, last_day, suspended) WHERE suspended = 0;
CREATE INDEX card_outcome ON card (concept, chance, recent);
CREATE INDEX card_rev ON card (rev) WHERE rev != 1;

-- One row an answer that was not undone; its payload stays in `event`.
CREATE TABLE review (
    device TEXT NOT NULL,
    seq INTEGER NOT NULL,
    hlc TEXT NOT NULL,
    item TEXT NOT NULL,
    concept TEXT NOT NULL,
    study_day TEXT NOT NULL,
    utc_us INTEGER NOT NULL,
    kind TEXT NOT NULL,
    role TEXT NOT NULL,
    mode TEXT NOT NULL,
    options INTEGER NOT NULL,
    given INTEGER NOT NULL,
    correct INTEGER NOT NULL,
    sureness TEXT,
    myth TEXT,
    slip TEXT,
    ms INTEGER NOT NULL,
    rating INTEGER,
    predicted REAL,
    likely INTEGER NOT NULL,
    first INTEGER NOT NULL,
    PRIMARY KEY (device, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX review_item ON review (item, hlc);
CREATE INDEX review_day ON review (study_day);
CREATE INDEX review_first ON review (hlc) WHERE first = 1;
CREATE INDEX review_pace ON review (kind, hlc, ms) WHERE correct = 1 AND rating IS NOT NULL;
CREATE INDEX review_sure_miss ON review (study_day) WHERE correct = 0 AND sureness = 'sure';
CREATE INDEX review_myth ON review (myth, study_day) WHERE myth IS NOT NULL;

-- The newest answer to each item, of any kind.
CREATE TABLE latest (
    item TEXT PRIMARY KEY,
    concept TEXT NOT NULL,
    correct INTEGER NOT NULL,
    sureness TEXT,
    likely INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX latest_standing ON latest (concept, correct, sureness, likely);

CREATE TABLE day (
    study_day TEXT PRIMARY KEY,
    answered INTEGER NOT NULL,
    right INTEGER NOT NULL,
    new INTEGER NOT NULL,
    scheduled INTEGER NOT NULL,
    recalled INTEGER NOT NULL,
    reviewed INTEGER NOT NULL,
    ms INTEGER NOT NULL,
    sure INTEGER NOT NULL,
    sure_right INTEGER NOT NULL,
    think INTEGER NOT NULL,
    think_right INTEGER NOT NULL,
    guess INTEGER NOT NULL,
    guess_right INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
    device TEXT NOT NULL,
    seq INTEGER NOT NULL,
    hlc TEXT NOT NULL,
    study_day TEXT NOT NULL,
    utc_us INTEGER NOT NULL,
    experiment TEXT NOT NULL,
    myth TEXT,
    ending TEXT NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (device, seq)
) STRICT, WITHOUT ROWID;
