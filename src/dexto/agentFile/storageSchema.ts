import { z } from 'zod';

const text = z.string().min(1);
// A variable gives text.
const port = z
  .union([z.int().min(1).max(65_535), z.string().regex(/^\d{1,5}$/u, 'expected a number from 1 to 65535')])
  .describe('Port.');
const unused = z.int().positive().optional().describe('No effect here.');
const pool = {
  maxConnections: z.int().positive().max(1_000).optional().describe('Maximum number of connections.'),
  idleTimeoutMillis: unused,
  connectionTimeoutMillis: unused,
};

const databaseSchema = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('in-memory').describe('In memory; lost when the program ends.'),
      ...pool,
    }),
    z.strictObject({
      type: z.literal('sqlite').describe('A SQLite file.'),
      path: text
        .optional()
        .describe(
          'Path of the file, relative to the folder of the agent file. Default: a file that Pincer manages.',
        ),
      database: text.optional().describe('No effect here.'),
      ...pool,
    }),
    z.strictObject({
      type: z.literal('postgres').describe('A PostgreSQL server.'),
      url: text
        .optional()
        .describe('postgres://user:password@host:port/database; preferably from an environment variable.'),
      connectionString: text.optional().describe('The same as url.'),
      host: text.optional().describe('Host, in place of url.'),
      port: port.optional(),
      database: text.optional().describe('Name of the database.'),
      user: text.optional().describe('User.'),
      username: text.optional().describe('The same as user.'),
      password: text.optional().describe('Password; preferably from an environment variable.'),
      ...pool,
    }),
  ])
  .meta({ description: 'Persistent key-value store.', default: { type: 'sqlite' } });

const cacheSchema = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('in-memory').describe('In memory; lost when the program ends.'),
      ...pool,
    }),
    z.strictObject({
      type: z.literal('redis').describe('A Redis server.'),
      url: text
        .optional()
        .describe('redis://user:password@host:port/number; preferably from an environment variable.'),
      host: text.optional().describe('Host, in place of url.'),
      port: port.optional(),
      username: text.optional().describe('User.'),
      password: text.optional().describe('Password; preferably from an environment variable.'),
      database: z.int().min(0).optional().describe('Database number.'),
      ...pool,
    }),
  ])
  .meta({ description: 'Cache; entries may be evicted at any time.', default: { type: 'in-memory' } });

const blobSchema = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('in-memory').describe('In memory; lost when the program ends.'),
      maxBlobSize: unused,
      maxTotalSize: unused,
    }),
    z.strictObject({
      type: z.literal('local').describe('Files in a local folder.'),
      storePath: text
        .optional()
        .describe(
          'Path of the folder, relative to the folder of the agent file. Default: a folder that Pincer manages.',
        ),
      maxBlobSize: z
        .int()
        .positive()
        .optional()
        .meta({ description: 'Maximum size of a blob, in bytes.', default: 52_428_800 }),
      maxTotalSize: unused,
      cleanupAfterDays: unused,
    }),
  ])
  .meta({ description: 'Blob store: files of plugins.', default: { type: 'local' } });

/** `storage`; upstream's keys. */
export const storageSchema = z.strictObject({
  database: databaseSchema.optional(),
  cache: cacheSchema.optional(),
  blob: blobSchema.optional(),
});

export type StorageSection = z.output<typeof storageSchema>;
