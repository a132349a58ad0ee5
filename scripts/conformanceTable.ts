import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { projectRoot } from './projectRoot.ts';

/** What a row can be about, in the order of the page. */
export const kinds = ['method', 'hook', 'runtime', 'manifest', 'config'] as const;
export type Kind = (typeof kinds)[number];
export type NamesByKind = Readonly<Record<Kind, readonly string[]>>;

/** A file of tests, and how the name of the one begins that fails where the thing is broken. */
export type NamedTest = readonly [file: string, name: string];

/** `test`: it works. `no`: why it is not here, as the rest of a sentence. */
export type Row = { readonly test: NamedTest } | { readonly no: string };
export type ConformanceTable = Readonly<Record<Kind, Readonly<Record<string, Row>>>>;

export const tablePath = join(projectRoot, 'test/conformance/table.json');
export const typesPath = 'test/conformance/typeDifferences.json';
export const namesPath = join(projectRoot, 'test/conformance/names.json');

/** The checked-in table: the source of docs/conformance.md and of `npm run mutate`. */
export async function readTable(): Promise<ConformanceTable> {
  return JSON.parse(await readFile(tablePath, 'utf8')) as ConformanceTable;
}

/** Fields of hooks whose type differs from upstream's, with why. */
export async function readTypeDifferences(): Promise<Readonly<Record<string, string>>> {
  return JSON.parse(await readFile(join(projectRoot, typesPath), 'utf8')) as Record<string, string>;
}

/** The checked-in names of the seeds and of upstream. */
export async function readNames(): Promise<NamesByKind> {
  return JSON.parse(await readFile(namesPath, 'utf8')) as NamesByKind;
}

/** True where a test of that name stands in the file. A sample is a folder beside the file that runs it. */
export async function hasTest([file, name]: NamedTest, root = projectRoot): Promise<boolean> {
  const path = join(root, file);
  if (!existsSync(path)) return false;
  const group = file.replace(/\.test\.ts$/u, '');
  const folders = [join(dirname(path), name), join(root, group, name)];
  if (folders.some((folder) => existsSync(join(folder, 'sample.ts')))) return true;
  const text = await readFile(path, 'utf8');
  return [`'`, `"`, '`'].some((quote) => text.includes(`it(${quote}${name}`));
}

/** One change of one file that breaks what a row promises, and nothing else. */
export interface Break {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** Takes a path out of what a config file says; `*` is every key. */
const forgetKey = `  const forgetKey = (holder: any, [key = '', ...below]: readonly string[]): void => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const each of key === '*' ? Object.keys(holder) : [key])
      if (below.length === 0) Reflect.deleteProperty(holder, each);
      else forgetKey(holder[each], below);
  };
`;

/** Where what a plugin or the user says enters the program, by kind; undefined where a row has no such single place. Pure. */
export function planBreak(kind: Kind, name: string): Break | undefined {
  const key = JSON.stringify(name);
  switch (kind) {
    case 'method':
      return name === 'resolvePath'
        ? undefined
        : {
            file: 'src/plugins/openclaw/apiMethods.ts',
            find: '\n};\n\n/** Newer plugins reach',
            replace: `\n  [${key}]: () => undefined,\n};\n\n/** Newer plugins reach`,
          };
    case 'hook':
      return {
        file: 'src/plugins/openclaw/registerHooks.ts',
        find: '  const own = handler as AnyHookHandler;\n',
        replace: `  if (found.hook === ${key}) return;\n  const own = handler as AnyHookHandler;\n`,
      };
    case 'runtime':
      return {
        file: 'src/plugins/openclaw/runtime/createApiRuntime.ts',
        find: '      const member = `${path}${String(key)}`;\n',
        replace:
          '      const member = `${path}${String(key)}`;\n' +
          `      if (member === ${key}) return undefined;\n`,
      };
    case 'manifest':
      return {
        file: 'src/plugins/manifest/parseManifest.ts',
        find: `  const id = typeof value['id']`,
        replace: `  Reflect.deleteProperty(value, ${key});\n  const id = typeof value['id']`,
      };
    case 'config':
      return {
        file: 'src/config/parseConfigFile.ts',
        find: '  const value: unknown = getNodeValue(tree);\n',
        replace: `  const value: unknown = getNodeValue(tree);\n${forgetKey}  forgetKey(value, ${JSON.stringify(name.split('.'))});\n`,
      };
  }
}

/** Rows that `npm run mutate` can break. Pure. */
export function breakable(
  table: ConformanceTable,
): readonly { readonly kind: Kind; readonly name: string; readonly test: NamedTest }[] {
  return kinds.flatMap((kind) =>
    Object.entries(table[kind]).flatMap(([name, row]) =>
      'test' in row && planBreak(kind, name) !== undefined ? [{ kind, name, test: row.test }] : [],
    ),
  );
}
