// Fills a deployment with many keys, accounts and rows in the request log.
import { SQL } from 'bun';

export async function makeKeys(url: string, token: string, count: number): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${url}/admin/v1${path}`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const keys: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const { id } = await post('/accounts', { name: `bench ${made}` });
    await post(`/accounts/${String(id)}/topups`, { amount_usd: 1000, reason: 'bench' });
    const { key } = await post(`/accounts/${String(id)}/keys`, { name: 'bench' });
    keys.push(String(key));
  }
  return keys;
}

/** Copies existing rows until the log has about this many. */
export async function addLogRows(url: string, count: number): Promise<void> {
  const sql = new SQL(url, { max: 1 });
  try {
    const columns = await sql.unsafe(
      `select column_name from information_schema.columns
         where table_name = 'requests' order by ordinal_position`,
    );
    const names = (columns as { column_name: string }[]).map(({ column_name }) => column_name);
    const values = names.map((name) => (name === 'id' ? `'old_' || g` : `r.${name}`));
    await sql.unsafe(
      `insert into requests (${names.join(', ')})
         select ${values.join(', ')}
           from generate_series(1, ${count}) as g, (select * from requests limit 1) as r
         on conflict do nothing`,
    );
    await sql.unsafe('analyze requests');
  } finally {
    await sql.close();
  }
}
