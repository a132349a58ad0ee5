import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { createSdkModules } from '../src/plugins/openclaw/sdkModules.ts';

const indexFile = 'src/sdk/index.ts';
const packages = ['openclaw', '@openclaw'];

/**
 * The one file that gives plugin authors types: a `declare module` for each subpath of the SDK under both names. Made from
 * the declarations of `src/sdk` and of the contracts and hooks they name; nothing in it points anywhere else.
 * @param root the project's folder
 * @throws Error where two files declare one name, or a declaration needs a type that is not written down
 */
export function buildSdkTypes(root: string): string {
  const all = reachableFrom(join(root, indexFile)).flatMap((file) => declarationsOf(root, file));
  const declarations = all.filter(needed(all)).map(({ text }) => text);
  const head =
    '// Types of the OpenClaw plugin SDK as Pincer provides it. Add this file to "files" or "include" of a tsconfig.json,\n' +
    '// or point to it with /// <reference path="…/openclaw.d.ts" />.\n';
  return `${head}\ndeclare module 'openclaw/plugin-sdk' {\n${declarations.join('\n')}\n}\n${subpathModules()}`;
}

function subpathModules(): string {
  const subpaths = Object.keys(createSdkModules({} as never)).filter((each) => each !== '');
  const names = packages.flatMap((name) => [
    ...(name === 'openclaw' ? [] : [`${name}/plugin-sdk`]),
    ...subpaths.map((subpath) => `${name}/plugin-sdk/${subpath}`),
    `${name}/extension-api`,
  ]);
  const again = "export * from 'openclaw/plugin-sdk';";
  // zod's own types would have to be installed to be found; a plugin that wants them imports zod.
  const zod = '/** zod 4. Import it from `zod` for its types. */\n  export const z: any;';
  return names
    .map((name) => `\ndeclare module '${name}' {\n  ${name.endsWith('/zod') ? zod : again}\n}\n`)
    .join('');
}

/** The file and everything of ours that it imports, in the order they are met. */
function reachableFrom(first: string): readonly string[] {
  const files = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
    for (const { fileName } of importedFiles) {
      if (fileName.startsWith('.')) visit(join(dirname(file), fileName));
    }
  };
  visit(first);
  return [...files];
}

interface Declaration {
  readonly file: string;
  readonly name: string;
  readonly text: string;
  /** Every name in it. */
  readonly uses: ReadonlySet<string>;
  /** Part of the SDK itself, so that it is there in any case. */
  readonly ofSdk: boolean;
}

/** Keeps the SDK's own declarations and the types that they need, directly or not. */
function needed(all: readonly Declaration[]): (declaration: Declaration) => boolean {
  const kept = new Set<Declaration>();
  const keep = (declaration: Declaration): void => {
    if (kept.has(declaration)) return;
    kept.add(declaration);
    for (const each of all) if (!each.ofSdk && declaration.uses.has(each.name)) keep(each);
  };
  for (const each of all) if (each.ofSdk) keep(each);
  const owners = new Map<string, string>();
  for (const { name, file } of kept) {
    const owner = owners.get(name) ?? file;
    if (owner !== file) throw new Error(`${owner} and ${file} both declare ${name}.`);
    owners.set(name, file);
  }
  return (declaration) => kept.has(declaration);
}

/** What a file declares, without imports. Outside of src/sdk only types count: the rest is no part of the SDK. */
function declarationsOf(root: string, path: string): readonly Declaration[] {
  const file = relative(root, path);
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(path, 'utf8'), {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { isolatedDeclarations: true, target: ts.ScriptTarget.ES2023 },
  });
  for (const { messageText } of diagnostics) {
    throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  }
  const source = ts.createSourceFile(file, outputText, ts.ScriptTarget.ES2023, true);
  // Imports that no declaration needs are gone by now.
  for (const module of source.statements
    .filter(ts.isImportDeclaration)
    .map(({ moduleSpecifier }) => moduleSpecifier))
    if (ts.isStringLiteral(module) && !module.text.startsWith('.'))
      throw new Error(`${file} declares with ${module.text}: the SDK's types must stand alone.`);
  const ofSdk = file.startsWith(join('src', 'sdk'));
  return source.statements.flatMap((statement) => {
    const name = nameOf(statement);
    if (name === undefined || !(ofSdk || isType(statement))) return [];
    const text = statement
      .getFullText()
      .trim()
      .replace(/^((?:\/\*[\s\S]*?\*\/\s*)*)(?:export )?(?:declare )?/u, '$1export ');
    return [{ file, name, text, uses: namesIn(statement), ofSdk }];
  });
}

function namesIn(node: ts.Node): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (each: ts.Node): void => {
    if (ts.isTypeReferenceNode(each) || ts.isExpressionWithTypeArguments(each) || ts.isTypeQueryNode(each)) {
      for (const child of each.getChildren()) if (ts.isIdentifier(child)) names.add(child.text);
    }
    ts.forEachChild(each, visit);
  };
  visit(node);
  return names;
}

function isType(statement: ts.Statement): boolean {
  return ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
}

function nameOf(statement: ts.Statement): string | undefined {
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
    return statement.name.text;
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) return statement.name?.text;
  const declaration = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations[0]
    : undefined;
  return declaration !== undefined && ts.isIdentifier(declaration.name) ? declaration.name.text : undefined;
}
