-- The events of one order, for the operator.

-- The sequence of the event of its placement. Null if the order was imported or placed by an older Worker.
ALTER TABLE orders ADD COLUMN placed_sequence INTEGER;
-- 1 for the event of a placement, otherwise null.
ALTER TABLE events ADD COLUMN is_placement INTEGER;

-- All events of an order but that of its placement, which `placed_sequence` names. So a placement writes no row of the
-- index.
CREATE INDEX events_by_order ON events (order_id, sequence)
  WHERE order_id IS NOT NULL AND is_placement IS NULL;
