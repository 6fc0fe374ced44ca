-- The settings of the last completed publication, as JSON: values that shop exports do not contain, such as the
-- currency and the shipping cost. Null until a publication has settings.
ALTER TABLE catalogues ADD COLUMN settings TEXT
  CONSTRAINT settings_are_json CHECK (json_valid(settings));
