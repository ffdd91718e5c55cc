// On PostgreSQL, the journal is compressed with LZ4, which takes less time than the usual method. A server
// that was built without LZ4 keeps its method.
import type { MigrationPart } from './migration-steps.ts';

const statement = `do $$ begin
  execute 'alter table deferred alter column input set compression lz4';
exception when feature_not_supported or syntax_error or invalid_parameter_value then null;
end $$`;

export function compressJournal(): MigrationPart[] {
  return [{ statements: [statement] }];
}
