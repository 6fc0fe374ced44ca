-- What recipients choose and write on the page of their gift, in their language.

-- The person who sends the gifts, shown beside the company. Null for the company alone.
ALTER TABLE orders ADD COLUMN sender_name TEXT;

-- The language of the recipient: a BCP 47 tag. Null if the partner has not set one.
ALTER TABLE sub_orders ADD COLUMN language TEXT;
-- The recipient's correction of `email`, for a digital gift. Null if the gift is sent to `email`.
ALTER TABLE sub_orders ADD COLUMN delivery_email TEXT;
-- The recipient's note to the sender, and its time. A note is written once.
ALTER TABLE sub_orders ADD COLUMN thanked_at_ms INTEGER;
ALTER TABLE sub_orders ADD COLUMN thank_you TEXT
  CONSTRAINT redeemed_gifts_are_thanked_for CHECK ((thank_you IS NULL) = (thanked_at_ms IS NULL)
    AND (thank_you IS NULL OR redemption_status = 'redeemed'));
-- When the recipient declined the gift, which cancelled it. Null for all other gifts.
ALTER TABLE sub_orders ADD COLUMN declined_at_ms INTEGER
  CONSTRAINT declined_gifts_are_cancelled CHECK (declined_at_ms IS NULL OR redemption_status = 'cancelled');

-- 1 if the credit of a declined gift returns to the client.
ALTER TABLE clients ADD COLUMN refund_declined INTEGER NOT NULL DEFAULT 1
  CONSTRAINT refund_declined_is_boolean CHECK (refund_declined IN (0, 1));
-- The address on the gift page to which recipients write for help. Null for the deployment's.
ALTER TABLE clients ADD COLUMN support_email TEXT;
