-- A redelivery of all events since a given sequence. It is pending while the position is less than `redelivery_until`, the position
-- before it. `redelivery_from` is the position to which it was moved back.
ALTER TABLE webhooks ADD COLUMN redelivery_from INTEGER;
ALTER TABLE webhooks ADD COLUMN redelivery_until INTEGER;
