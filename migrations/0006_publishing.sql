-- What publishing needs to check ids before it writes, and to send each piece of a catalogue once.

-- The catalogue that published the product first. The product's stock belongs to it; other catalogues share it. Null
-- while no catalogue has published the product.
ALTER TABLE products ADD COLUMN catalogue_id INTEGER REFERENCES catalogues (id);

UPDATE products SET catalogue_id = owner.catalogue_id
FROM (
  SELECT product_id, min(catalogue_id) AS catalogue_id FROM (
    SELECT product_id, catalogue_id FROM product_sources
    UNION SELECT product_id, catalogue_id FROM catalogue_entries
  ) GROUP BY product_id
) owner
WHERE products.id = owner.product_id;

-- The last id that was given to a product or variation of a shop's file. Ids below are for files with their own ids.
CREATE TABLE id_sequences (
  name TEXT PRIMARY KEY,
  last_id INTEGER NOT NULL,
  -- The largest integer that JSON and JavaScript hold exactly.
  CONSTRAINT last_id_in_range CHECK (last_id BETWEEN 0 AND 9007199254740991)
) STRICT, WITHOUT ROWID;

INSERT INTO id_sequences (name, last_id) VALUES ('products', 10000000), ('variations', 10000000);

-- JSON that a publication sends in pieces: `products` for the statements of one batch, which deletes it again, and
-- `names`, the rows that `product_sources` gets when the version becomes current.
CREATE TABLE staged_chunks (
  catalogue_id INTEGER NOT NULL REFERENCES catalogues (id),
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (catalogue_id, version, kind, sequence),
  CONSTRAINT chunk_kind_known CHECK (kind IN ('products', 'names'))
) STRICT, WITHOUT ROWID;

-- A sub-order's id is its order's * 1000 + its sequence, and must be an exact integer as well. After the insert, since
-- an id that SQLite gives is not known before.
CREATE TRIGGER order_id_in_range AFTER INSERT ON orders WHEN NEW.id > 9007199254739
BEGIN SELECT RAISE(ABORT, 'order_id_in_range'); END;
