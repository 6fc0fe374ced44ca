-- What a shop's file does not say of its products (currency, shipping and so on), as JSON: the settings of the last
-- completed publication. Null until a publication has some.
ALTER TABLE catalogues ADD COLUMN settings TEXT
  CONSTRAINT settings_are_json CHECK (json_valid(settings));
