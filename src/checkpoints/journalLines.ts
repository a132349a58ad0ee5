import { z } from 'zod';
import { parseJson } from '../base/json.ts';

/** SHA-256 in hex of a file's bytes; null where there is no file. */
const contentSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/u)
  .nullable();

const fileSchema = z.object({
  path: z.string(),
  label: z.string(),
  /** What the disk held. */
  disk: contentSchema,
  /** What an editor held, where that was something else. */
  unsaved: contentSchema.optional(),
  /** What is going to be written. An editor may format it. */
  after: contentSchema,
  /** Bytes of the longer of the two contents that are kept. */
  bytes: z.number(),
  /** Permission bits of the file; missing where it was not there or the platform has none. */
  mode: z.number().optional(),
  /** The topmost folder that was missing for a new file; it goes with the file. */
  newFolder: z.string().optional(),
});

const headerSchema = z.object({
  type: z.literal('turn'),
  version: z.literal(1),
  id: z.string(),
  kind: z.enum(['turn', 'restore']),
  sessionId: z.string(),
  startedAt: z.number(),
  /** Of the process (`ProcessOwner`). */
  owner: z.string(),
});

const beginSchema = z.object({
  type: z.literal('begin'),
  id: z.string(),
  toolCallId: z.string(),
  at: z.number(),
  files: z.array(fileSchema),
});

const endSchema = z.object({
  type: z.literal('end'),
  id: z.string(),
  state: z.enum(['done', 'failed']),
  /** What each file of `begin` holds now, in its order. */
  written: z.array(contentSchema),
});

const entrySchema = z.discriminatedUnion('type', [beginSchema, endSchema]);

export type TurnHeader = z.infer<typeof headerSchema>;
export type RecordedFile = z.infer<typeof fileSchema>;
export type BeginLine = z.infer<typeof beginSchema>;
export type EndLine = z.infer<typeof endSchema>;

/** One change of files, and how it ended; undefined while it goes on, or when its process was killed. */
export interface RecordedChange {
  readonly begin: BeginLine;
  readonly end: EndLine | undefined;
}

export interface RecordedTurn {
  readonly header: TurnHeader;
  /** In the order in which they began. */
  readonly changes: readonly RecordedChange[];
}

/** Reads a turn; undefined where it is none, or one of another version. A line that can't be read costs that line alone. Pure. */
export function parseJournal(text: string): RecordedTurn | undefined {
  const [first = '', ...rest] = text.split('\n').filter((line) => line !== '');
  const header = headerSchema.safeParse(parseJson(first));
  if (!header.success) return undefined;
  const lines = rest.flatMap((line) => entrySchema.safeParse(parseJson(line)).data ?? []);
  const ends = new Map(lines.flatMap((line) => (line.type === 'end' ? [[line.id, line] as const] : [])));
  return {
    header: header.data,
    changes: lines.flatMap((line) =>
      line.type === 'begin' ? [{ begin: line, end: ends.get(line.id) }] : [],
    ),
  };
}

/** What the user had: unsaved changes count. */
export function heldBefore(file: RecordedFile): string | null {
  return file.unsaved === undefined ? file.disk : file.unsaved;
}

/** The contents that a turn needs. */
export function contentsOf(turn: RecordedTurn): readonly { readonly hash: string; readonly bytes: number }[] {
  return turn.changes
    .flatMap((change) => change.begin.files)
    .flatMap((file) =>
      [file.disk, file.unsaved].flatMap((hash) =>
        hash === null || hash === undefined ? [] : [{ hash, bytes: file.bytes }],
      ),
    );
}
