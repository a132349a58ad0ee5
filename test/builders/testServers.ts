import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** A server that tests talk to, and that `scripts/testServers.sh` starts for them. */
export interface TestServer {
  /** True where it is not there and need not be: skip what talks to it. */
  readonly isMissing: boolean;
  /** The name of a test, which says what it needs where that is missing. */
  titled(name: string): string;
  /**
   * Its address; for Docker the image of its daemon that containers are made of.
   * @throws where it is not there and must be: under `PINCER_TEST_SERVERS=required` no test of it is skipped
   */
  url(): string;
}

export const postgresServer = serverOf('PostgreSQL', 'PINCER_TEST_POSTGRES_URL');
export const redisServer = serverOf('Redis', 'PINCER_TEST_REDIS_URL');
export const dockerServer = serverOf('Docker', 'PINCER_TEST_DOCKER_IMAGE');

function serverOf(name: string, variable: string): TestServer {
  const url = process.env[variable] ?? '';
  const isMissing = url === '' && process.env['PINCER_TEST_SERVERS'] !== 'required';
  return {
    isMissing,
    titled: (title) => (isMissing ? `${title} (needs ${name}: set ${variable})` : title),
    url() {
      if (url === '') throw new Error(`${variable} must be set here: this run may skip no test of ${name}.`);
      return url;
    },
  };
}

/** An empty database on the PostgreSQL server, so that test files do not meet. */
export interface TestDatabase {
  readonly url: string;
  /** Asks the server, as its administrator. */
  ask(sql: string, ...values: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

export async function openTestDatabase(): Promise<TestDatabase> {
  const name = `pincer_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(postgresServer.url());
  await asAdministrator(url.href, (client) => client.query(`CREATE DATABASE ${name}`));
  const server = url.href;
  url.pathname = `/${name}`;
  const { href } = url;
  return {
    url: href,
    ask: async (sql, ...values) =>
      await asAdministrator(
        href,
        async (client) => (await client.query<Record<string, unknown>>(sql, [...values])).rows,
      ),
    close: async () => {
      await asAdministrator(server, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

async function asAdministrator<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
