import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import type { NamesByKind } from './conformanceTable.ts';

/** What upstream's published declarations name; `folder` is the unpacked package. */
export async function readUpstreamNames(folder: string): Promise<Omit<NamesByKind, 'config'>> {
  const types = await readTypes(join(folder, 'dist'), [
    'OpenClawPluginApi',
    'PluginHookName',
    'PluginRuntimeCore',
    'PluginRuntime',
    'PluginManifest',
  ]);
  const api = membersOf(types, 'OpenClawPluginApi').filter(([, type]) => isCallable(type));
  const runtime = [...membersOf(types, 'PluginRuntimeCore'), ...membersOf(types, 'PluginRuntime')];
  return {
    method: sorted(api.map(([name]) => name)),
    hook: sorted(unionOf(types, 'PluginHookName')),
    runtime: sorted(
      runtime.flatMap(([name, type]) => {
        const inner = type !== undefined && ts.isTypeLiteralNode(type) ? literalMembers(type) : [];
        return inner.length === 0 ? [name] : inner.map(([member]) => `${name}.${member}`);
      }),
    ),
    manifest: sorted(membersOf(types, 'PluginManifest').map(([name]) => name)),
  };
}

type Member = readonly [name: string, type: ts.TypeNode | undefined];
type Types = ReadonlyMap<string, ts.TypeNode>;

/** The bundler spreads declarations over files of changing names, each whole: the first that declares a type counts. */
async function readTypes(folder: string, names: readonly string[]): Promise<Types> {
  const types = new Map<string, ts.TypeNode>();
  const files = (await readdir(folder)).filter((name) => name.endsWith('.d.ts')).sort();
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8');
    const missing = names.filter((name) => !types.has(name) && text.includes(`type ${name} =`));
    if (missing.length === 0) continue;
    for (const statement of ts.createSourceFile(file, text, ts.ScriptTarget.Latest).statements)
      if (ts.isTypeAliasDeclaration(statement) && missing.includes(statement.name.text))
        types.set(statement.name.text, statement.type);
  }
  for (const name of names)
    if (!types.has(name)) throw new Error(`Upstream's declarations have no type ${name} any more.`);
  return types;
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
