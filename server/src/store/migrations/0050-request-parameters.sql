alter table requests add column parameters text;
