-- A sub-order's id is its order's * 1000 + its sequence, and must be an exact integer as well. After the insert, since
-- an id that SQLite gives is not known before.
CREATE TRIGGER order_id_in_range AFTER INSERT ON orders WHEN NEW.id > 9007199254739
BEGIN SELECT RAISE(ABORT, 'order_id_in_range'); END;
