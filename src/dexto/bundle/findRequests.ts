import type { RequestKind } from '../../plugins/load/createResolver.ts';

/** What the code of a module asks for, by its syntax. Lines are 1-based. */
export interface ModuleRequests {
  readonly requests: readonly ModuleRequest[];
  /** Imports of what only shows when the code runs. */
  readonly unknown: readonly { readonly line: number }[];
  /** Where the code asks for its own place on disk. */
  readonly places: readonly { readonly line: number; readonly name: string }[];
}

export interface ModuleRequest {
  readonly name: string;
  readonly line: number;
  readonly kind: RequestKind;
  /** `attempt`: it may be missing, as in `try`. `local`: a `require` of the code's own, which may mean something else. */
  readonly need: 'needed' | 'attempt' | 'local';
}

/** The parts of Babel's nodes and paths that are used here; the transpiler brings no types for them. */
interface Node {
  readonly type: string;
  readonly loc?: { readonly start: { readonly line: number } } | null;
  readonly name?: unknown;
  value?: unknown;
  /** Of a text: how it was written. */
  extra?: unknown;
  readonly source?: Node | null;
  readonly callee?: Node;
  readonly object?: Node;
  readonly property?: Node;
  readonly arguments?: readonly Node[];
  readonly moduleReference?: Node;
  readonly expression?: Node;
  readonly quasis?: readonly { readonly value: { readonly cooked?: string | null } }[];
}

interface Path {
  readonly node: Node;
  readonly scope: { hasBinding(name: string, noGlobals: boolean): boolean };
  findParent(test: (path: Path) => boolean): Path | null;
  traverse(visitor: Readonly<Record<string, (path: Path) => void>>): void;
  replaceWith(node: Node): void;
}

/** A plugin of Babel, as the transpiler takes it. */
type BabelPlugin = () => {
  /** Before all plugins. */
  pre(file: { readonly path: Path }): void;
  readonly visitor: { readonly Program: { enter(path: Path): void } };
};

/** What the code of a module knows `import.meta` by. */
const metaName = 'importMetaObject';

/**
 * A plugin of Babel that reads what a module asks for, after types have been taken out and before anything else is rewritten, and calls
 * `found` with it. `import.meta` becomes the object that the module gets, so that no path of this machine ends up in the code; paths of
 * other files get the names that `rename` gives them.
 */
export function createRequestFinder(
  found: (requests: ModuleRequests) => void,
  rename?: (path: string) => string,
): BabelPlugin {
  return () => {
    const finding = createFinding(rename);
    return {
      pre: ({ path }) => path.traverse(finding.places),
      visitor: {
        Program: {
          enter(program) {
            program.traverse(finding.requests);
            found(finding.result);
          },
        },
      },
    };
  };
}

function createFinding(rename?: (path: string) => string) {
  const requests: ModuleRequest[] = [];
  const unknown: { line: number }[] = [];
  const places: { line: number; name: string }[] = [];

  const ask = (
    path: Path,
    named: Node | null | undefined,
    need: ModuleRequest['need'],
    kind: RequestKind = 'import',
  ): void => {
    const name = textOf(named);
    if (rename !== undefined && named?.type === 'StringLiteral' && name?.startsWith('.') === true) {
      named.value = rename(name);
      delete named.extra;
    }
    const line = lineOf(path.node);
    const isTried = path.findParent(({ node }) => node.type === 'TryStatement') !== null;
    if (name !== undefined)
      requests.push({ name, line, kind, need: need === 'needed' && isTried ? 'attempt' : need });
    else if (need === 'needed' && named != null) unknown.push({ line });
  };
  const fromSource = (path: Path): void => ask(path, path.node.source, 'needed');

  const ofRequests = {
    ImportDeclaration: fromSource,
    ExportNamedDeclaration: fromSource,
    ExportAllDeclaration: fromSource,
    ImportExpression: fromSource,
    TSImportEqualsDeclaration: (path: Path): void => {
      const { moduleReference } = path.node;
      // The other form gives a name to a part of a namespace.
      if (moduleReference?.expression !== undefined)
        ask(path, moduleReference.expression, 'needed', 'require');
    },
    CallExpression: (path: Path): void => {
      const { callee, arguments: given } = path.node;
      const need = needOf(callee, path);
      const isRequire = callee?.name === 'require' || callee?.object?.name === 'require';
      if (need !== undefined) ask(path, given?.[0], need, isRequire ? 'require' : 'import');
    },
  };
  const ofPlaces = {
    MetaProperty: (path: Path): void => {
      const member = path.findParent(({ node }) => node.type === 'MemberExpression')?.node.property?.name;
      if (member === 'url' || member === 'dirname' || member === 'filename') {
        places.push({ line: lineOf(path.node), name: `import.meta.${member}` });
      }
      path.replaceWith({ type: 'Identifier', name: metaName });
    },
    Identifier: (path: Path): void => {
      const { name } = path.node;
      if ((name === '__dirname' || name === '__filename') && !path.scope.hasBinding(name, true)) {
        places.push({ line: lineOf(path.node), name });
      }
    },
  };
  return { requests: ofRequests, places: ofPlaces, result: { requests, unknown, places } };
}

/** Undefined for a call of anything else. */
function needOf(callee: Node | undefined, path: Path): ModuleRequest['need'] | undefined {
  if (callee?.type === 'Import') return 'needed';
  const isRequire = (node: Node | undefined): boolean =>
    node?.type === 'Identifier' && node.name === 'require';
  if (isRequire(callee)) return path.scope.hasBinding('require', true) ? 'local' : 'needed';
  const isResolve = callee?.type === 'MemberExpression' && callee.property?.name === 'resolve';
  const ofModule = isRequire(callee?.object) || callee?.object?.name === metaName;
  return isResolve && ofModule ? 'local' : undefined;
}

function textOf(node: Node | null | undefined): string | undefined {
  if (node?.type === 'StringLiteral' && typeof node.value === 'string') return node.value;
  const [only, ...others] = node?.type === 'TemplateLiteral' ? (node.quasis ?? []) : [];
  return others.length === 0 ? (only?.value.cooked ?? undefined) : undefined;
}

function lineOf({ loc }: Node): number {
  return loc?.start.line ?? 1;
}
