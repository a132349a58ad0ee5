/** The parts of Babel's nodes and paths that are used here; the transpiler brings no types for them. */
interface Node {
  readonly type: string;
  name?: unknown;
  readonly callee?: Node;
  readonly arguments?: readonly Node[];
  readonly moduleReference?: Node;
  readonly expression?: Node;
}

interface Path {
  readonly node: Node;
  readonly scope: {
    hasBinding(name: string, noGlobals: boolean): boolean;
    hasOwnBinding(name: string): boolean;
    rename(from: string): void;
  };
  isReferencedIdentifier(): boolean;
  traverse(visitor: Readonly<Record<string, (path: Path) => void>>): void;
}

/** What the code's own `require` is called when `keepOwnRequire` has passed. */
export const ownRequireName = '__ownRequire';

/**
 * A plugin of Babel that renames the `require` that a module itself uses, before the transpiler writes one for each
 * `import`: a package may give another file to the one than to the other.
 */
export function keepOwnRequire() {
  const assigned = new Set<Node>();
  return {
    visitor: {
      Program: {
        enter(program: Path): void {
          program.traverse({
            Identifier(path) {
              if (isFreeRequire(path)) path.node.name = ownRequireName;
            },
            // `import x = require('y')` becomes a call later on.
            TSImportEqualsDeclaration({ node: { moduleReference } }) {
              if (moduleReference?.expression !== undefined) assigned.add(moduleReference.expression);
            },
          });
        },
      },
      CallExpression({ node: { callee, arguments: [first] = [] } }: Path): void {
        if (callee !== undefined && first !== undefined && assigned.has(first)) callee.name = ownRequireName;
      },
    },
  };
}

/** Globals in the code that the transpiler adds. */
const usedByTranspiler = ['Object', 'Promise', 'WeakMap'];

/** A plugin of Babel for modules that have something of their own by the name of such a global: TypeBox exports `Object`. */
export function keepGlobals() {
  return {
    visitor: {
      Program: {
        enter({ scope }: Path): void {
          for (const name of usedByTranspiler) if (scope.hasOwnBinding(name)) scope.rename(name);
        },
      },
    },
  };
}

function isFreeRequire(path: Path): boolean {
  const isNamed = path.node.name === 'require' && path.isReferencedIdentifier();
  return isNamed && !path.scope.hasBinding('require', true);
}
