-- Corrections until a gift is shipped, and the tracking that support has told a recipient.

-- JSON: the earlier carriers, tracking and times of the shipment, oldest first. Null if it was never corrected or
-- reopened.
ALTER TABLE shipments ADD COLUMN earlier_tracking TEXT
  CONSTRAINT earlier_tracking_is_json CHECK (json_valid(earlier_tracking));
