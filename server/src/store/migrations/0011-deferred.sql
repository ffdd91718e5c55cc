create table deferred (
  task text not null,
  input text not null,
  trouble text
);
