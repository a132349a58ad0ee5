import { z } from 'zod';

const text = z.string().min(1);
// A variable gives text.
const port = z
  .union([z.int().min(1).max(65_535), z.string().regex(/^\d{1,5}$/u, 'expected a number from 1 to 65535')])
  .describe('Port.');
const unused = z.int().positive().optional().describe('No effect here.');
const pool = {
  maxConnections: z.int().positive().max(1_000).optional().describe('Connections at once.'),
  idleTimeoutMillis: unused,
  connectionTimeoutMillis: unused,
};

const databaseSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('in-memory').describe('Gone when the program ends.'), ...pool }),
    z.strictObject({
      type: z.literal('sqlite').describe('One file.'),
      path: text
        .optional()
        .describe('Path of the file, from the folder of the agent file on. Default: a file of this program.'),
      database: text.optional().describe('No effect here.'),
      ...pool,
    }),
    z.strictObject({
      type: z.literal('postgres').describe('A PostgreSQL server.'),
      url: text
        .optional()
        .describe('postgres://user:password@host:port/database; best as an environment variable.'),
      connectionString: text.optional().describe('The same as url.'),
      host: text.optional().describe('Host, in place of url.'),
      port: port.optional(),
      database: text.optional().describe('Name of the database.'),
      user: text.optional().describe('User.'),
      username: text.optional().describe('The same as user.'),
      password: text.optional().describe('Password; best as an environment variable.'),
      ...pool,
    }),
  ])
  .meta({ description: 'Keys and values that stay.', default: { type: 'sqlite' } });

const cacheSchema = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('in-memory').describe('Gone when the program ends.'), ...pool }),
    z.strictObject({
      type: z.literal('redis').describe('A Redis server.'),
      url: text
        .optional()
        .describe('redis://user:password@host:port/number; best as an environment variable.'),
      host: text.optional().describe('Host, in place of url.'),
      port: port.optional(),
      username: text.optional().describe('User.'),
      password: text.optional().describe('Password; best as an environment variable.'),
      database: z.int().min(0).optional().describe('Number of the database.'),
      ...pool,
    }),
  ])
  .meta({ description: 'Values that may go at any time.', default: { type: 'in-memory' } });

const blobSchema = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('in-memory').describe('Gone when the program ends.'),
      maxBlobSize: unused,
      maxTotalSize: unused,
    }),
    z.strictObject({
      type: z.literal('local').describe('Files in a folder.'),
      storePath: text
        .optional()
        .describe(
          'Path of the folder, from the folder of the agent file on. Default: a folder of this program.',
        ),
      maxBlobSize: z
        .int()
        .positive()
        .optional()
        .meta({ description: 'Bytes of one blob.', default: 52_428_800 }),
      maxTotalSize: unused,
      cleanupAfterDays: unused,
    }),
  ])
  .meta({ description: 'Files of plugins.', default: { type: 'local' } });

/** `storage`; upstream's keys. */
export const storageSchema = z.strictObject({
  database: databaseSchema.optional(),
  cache: cacheSchema.optional(),
  blob: blobSchema.optional(),
});

export type StorageSection = z.output<typeof storageSchema>;
