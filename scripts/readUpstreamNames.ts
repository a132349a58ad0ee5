import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { checkTypes } from './checkTypes.ts';
import type { NamesByKind } from './conformanceTable.ts';
import { projectRoot } from './projectRoot.ts';

/**
 * Parts of the configuration whose keys have a row each; any other part has one for the whole of it. `*` is any id, or any element
 * of a list.
 */
const openedParts: ReadonlySet<string> = new Set([
  '',
  'agents',
  'agents.defaults',
  'agents.entries',
  'agents.entries.*',
  'approvals',
  'bindings',
  'bindings.*',
  'bindings.*.match',
  'hooks',
  'hooks.internal',
  'hooks.internal.entries',
  'hooks.internal.entries.*',
  'hooks.internal.load',
  'memory',
  'memory.search',
  'models',
  'models.providers',
  'models.providers.*',
  'models.providers.*.models',
  'models.providers.*.models.*',
  'plugins',
  'plugins.entries',
  'plugins.entries.*',
  'plugins.entries.*.hooks',
  'plugins.load',
  'plugins.slots',
  'session',
  'session.reset',
  'cron',
  'gateway',
  'mcp',
  'messages',
  'messages.groupChat',
  'skills',
  'tools',
  'tools.exec',
  'tools.web',
  'tools.web.fetch',
  'tools.web.search',
  'tts',
]);

/** What upstream's published declarations name; `folder` is the unpacked package. */
export async function readUpstreamNames(folder: string): Promise<NamesByKind> {
  const types = await readTypes(join(folder, 'dist'), [
    'OpenClawPluginApi',
    'PluginHookName',
    'PluginRuntimeCore',
    'PluginRuntime',
    'PluginRuntimeChannel',
    'PluginManifest',
  ]);
  const api = membersOf(types, 'OpenClawPluginApi').filter(([, type]) => isCallable(type));
  const runtime = [...membersOf(types, 'PluginRuntimeCore'), ...membersOf(types, 'PluginRuntime')];
  return {
    method: sorted(api.map(([name]) => name)),
    hook: sorted(unionOf(types, 'PluginHookName')),
    runtime: sorted(
      runtime.flatMap(([name, type]) => {
        if (name === 'channel') return namesBelow(name, types.get('PluginRuntimeChannel'));
        const inner = type !== undefined && ts.isTypeLiteralNode(type) ? literalMembers(type) : [];
        if (inner.length === 0) return [name];
        return inner.flatMap(([member, below]) => {
          const path = `${name}.${member}`;
          return path === 'agent.session' ? namesBelow(path, below) : [path];
        });
      }),
    ),
    manifest: sorted(membersOf(types, 'PluginManifest').map(([name]) => name)),
    config: sorted(await readConfigKeys(folder)),
  };
}

/** A member, or all members of it, however deep. */
function namesBelow(path: string, type: ts.TypeNode | undefined): readonly string[] {
  if (type === undefined || !ts.isTypeLiteralNode(type)) return [path];
  return literalMembers(type).flatMap(([name, below]) => namesBelow(`${path}.${name}`, below));
}

/** The keys of `OpenClawConfig`, as paths. The compiler reads them: much of that type is made from schemas. */
async function readConfigKeys(folder: string): Promise<readonly string[]> {
  const entry = join(folder, 'dist/plugin-sdk/plugin-entry.js');
  const text = `import type { OpenClawPluginApi } from '${entry}';\nexport type Config = OpenClawPluginApi['config'];\n`;
  return await checkTypes(
    text,
    (checker, source) => {
      const config = source?.statements.find((each) => ts.isTypeAliasDeclaration(each));
      if (config === undefined) throw new Error('No type of the configuration was made.');
      return keysBelow(checker, checker.getTypeAtLocation(config), '');
    },
    // The package lies unpacked, without those that it depends on.
    { paths: { zod: [join(projectRoot, 'node_modules/zod/index.d.ts')] } },
  );
}

function keysBelow(checker: ts.TypeChecker, type: ts.Type, path: string): readonly string[] {
  if (!openedParts.has(path)) return [path];
  const parts = checker.getNonNullableType(type);
  const below = (parts.isUnion() ? parts.types : [parts]).flatMap((part) => {
    const isList = checker.isArrayType(part);
    const fields = isList ? [] : checker.getPropertiesOfType(part);
    const element = isList ? part.getNumberIndexType() : part.getStringIndexType();
    return fields.length === 0 && element !== undefined
      ? keysBelow(checker, element, `${path}.*`)
      : fields.flatMap((field) =>
          keysBelow(
            checker,
            checker.getTypeOfSymbol(field),
            path === '' ? field.name : `${path}.${field.name}`,
          ),
        );
  });
  // What TypeScript could not find is `any`, and has no fields.
  if (below.length === 0) throw new Error(`Upstream's configuration has no keys in ${path} any more.`);
  return below;
}

type Member = readonly [name: string, type: ts.TypeNode | undefined];
type Types = ReadonlyMap<string, ts.TypeNode>;

/** The bundler spreads declarations over files of changing names, each whole: the first that declares a type counts. */
async function readTypes(folder: string, names: readonly string[]): Promise<Types> {
  const types = new Map<string, ts.TypeNode>();
  const files = (await readdir(folder)).filter((name) => name.endsWith('.d.ts')).sort();
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8');
    const missing = names.filter((name) => !types.has(name) && text.includes(`type ${name}`));
    if (missing.length === 0) continue;
    for (const statement of ts.createSourceFile(file, text, ts.ScriptTarget.Latest).statements)
      if (ts.isTypeAliasDeclaration(statement)) {
        const name = plainName(statement.name.text);
        if (missing.includes(name) && !isAliasOf(name, statement.type)) types.set(name, statement.type);
      }
  }
  for (const name of names)
    if (!types.has(name)) throw new Error(`Upstream's declarations have no type ${name} any more.`);
  return types;
}

/** The bundler numbers names that it meets twice. */
function plainName(name: string): string {
  return name.replace(/\$\d+$/u, '');
}

function isAliasOf(name: string, type: ts.TypeNode): boolean {
  return (
    ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) && plainName(type.typeName.text) === name
  );
}

function membersOf(types: Types, name: string): readonly Member[] {
  const type = types.get(name);
  if (type === undefined) return [];
  const parts = ts.isIntersectionTypeNode(type) ? type.types : [type];
  return parts.flatMap((part) => (ts.isTypeLiteralNode(part) ? literalMembers(part) : []));
}

function literalMembers(type: ts.TypeLiteralNode): readonly Member[] {
  return type.members.flatMap((member): Member[] =>
    ts.isPropertySignature(member) && ts.isIdentifier(member.name) ? [[member.name.text, member.type]] : [],
  );
}

function isCallable(type: ts.TypeNode | undefined): boolean {
  return type !== undefined && ts.isFunctionTypeNode(type);
}

function unionOf(types: Types, name: string): readonly string[] {
  const type = types.get(name);
  if (type === undefined || !ts.isUnionTypeNode(type)) return [];
  return type.types.flatMap((each) =>
    ts.isLiteralTypeNode(each) && ts.isStringLiteral(each.literal) ? [each.literal.text] : [],
  );
}

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}
