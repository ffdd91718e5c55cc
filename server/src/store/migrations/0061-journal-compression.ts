// On PostgreSQL, the journal is compressed with LZ4, which takes less time than the usual method. A server
// that was built without LZ4 keeps its method.
import type { MigrationPart } from './migration-steps.ts';

export function compressJournal(): MigrationPart[] {
  const statements = ['alter table deferred alter column input set compression lz4'];
  const onlyIf = `select 1 from pg_settings
    where name = 'default_toast_compression' and 'lz4' = any(enumvals)`;
  return [{ statements, onlyIf }];
}
