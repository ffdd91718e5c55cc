create index tag_days_by_day on tag_days (day);
create index usage_tags_by_day on usage_tags (day);
