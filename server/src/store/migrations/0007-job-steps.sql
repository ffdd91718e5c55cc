alter table jobs add column steps text not null default '';

update jobs set steps = cast(created_at as text) || ' 1 queued;' ||
  case when attempt_status = 'queued' and attempt = 1 then ''
    else cast(updated_at as text) || ' ' || cast(attempt as text) || ' ' || attempt_status || ';'
  end;
