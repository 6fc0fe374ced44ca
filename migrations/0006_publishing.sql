-- For publishing: ownership of ids, which is checked before any write, and staged chunks, so that each part of a
-- catalogue is sent once.

-- The catalogue that published the product first. It owns the product's stock, and other catalogues share it. Null
-- until a catalogue has published the product.
ALTER TABLE products ADD COLUMN catalogue_id INTEGER REFERENCES catalogues (id);

UPDATE products SET catalogue_id = owner.catalogue_id
FROM (
  SELECT product_id, min(catalogue_id) AS catalogue_id FROM (
    SELECT product_id, catalogue_id FROM product_sources
    UNION SELECT product_id, catalogue_id FROM catalogue_entries
  ) GROUP BY product_id
) owner
WHERE products.id = owner.product_id;

-- The last id that was assigned to a product or variation of a shop's file. Lower ids are for files with their own ids.
CREATE TABLE id_sequences (
  name TEXT PRIMARY KEY,
  last_id INTEGER NOT NULL,
  -- The largest integer that JSON and JavaScript hold exactly.
  CONSTRAINT last_id_in_range CHECK (last_id BETWEEN 0 AND 9007199254740991)
) STRICT, WITHOUT ROWID;

INSERT INTO id_sequences (name, last_id) VALUES ('products', 10000000), ('variations', 10000000);

-- JSON chunks of a publication. `products` chunks are used and deleted by the statements of one batch. `names` chunks
-- are the rows that are added to `product_sources` when the version becomes current.
CREATE TABLE staged_chunks (
  catalogue_id INTEGER NOT NULL REFERENCES catalogues (id),
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (catalogue_id, version, kind, sequence),
  CONSTRAINT chunk_kind_known CHECK (kind IN ('products', 'names'))
) STRICT, WITHOUT ROWID;

-- The id of a sub-order is the order's id * 1000 + its sequence, and must be an exact integer too. The trigger runs
-- after the insert, because an id that SQLite assigns is not available before.
CREATE TRIGGER order_id_in_range AFTER INSERT ON orders WHEN NEW.id > 9007199254739
BEGIN SELECT RAISE(ABORT, 'order_id_in_range'); END;
