-- The state of the cron handler and of its checks of the invariants, for `ops health` and GET /health.
CREATE TABLE health (
  id INTEGER PRIMARY KEY,
  -- When a run of the cron handler last succeeded. Null if none has.
  cron_succeeded_at_ms INTEGER,
  -- JSON: the round of checks that is in progress. Null between two rounds.
  round TEXT,
  -- JSON: the last complete round. Null if there is none.
  last_round TEXT,
  CONSTRAINT health_is_one_row CHECK (id = 1),
  CONSTRAINT rounds_are_json CHECK (json_valid(round) AND json_valid(last_round))
) STRICT;

INSERT INTO health (id) VALUES (1);
