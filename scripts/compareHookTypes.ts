import { join } from 'node:path';
import ts from 'typescript';
import { checkTypes } from './checkTypes.ts';
import { projectRoot } from './projectRoot.ts';

const parts = ['event', 'context', 'result'] as const;

/**
 * What a plugin that was written against upstream's declarations would get or give in another type than it expects, each as
 * `hook.event.field`; hooks that are not here are left out. `upstream` is the unpacked package.
 */
export async function compareHookTypes(
  upstream: string,
  hooks: readonly string[],
): Promise<readonly string[]> {
  return await checkTypes(
    typesOf(upstream, hooks),
    (checker, source) => differences(checker, source, hooks),
    { allowImportingTsExtensions: true },
  );
}

/** Both sides as one interface with a member for each hook. Ours without `readonly`, which a plugin can't see at run time. */
function typesOf(upstream: string, hooks: readonly string[]): string {
  const rows = hooks.map((hook) => `  ${hook}: Handler<Parameters<typeof api.on<'${hook}'>>[1]>;`);
  return `
import type { OpenClawPluginApi } from '${join(upstream, 'dist/plugin-sdk/plugin-entry.js')}';
import type { HookMap } from '${join(projectRoot, 'src/hooks/hookMap.ts')}';
declare const api: OpenClawPluginApi;
type Loose<T> = T extends (...args: never[]) => unknown ? T : T extends object ? { -readonly [K in keyof T]: Loose<T[K]> } : T;
type Handler<F extends (...args: never[]) => unknown> = {
  event: Parameters<F>[0];
  context: Parameters<F>[1];
  result: Exclude<Awaited<ReturnType<F>>, void>;
};
export interface Upstream {
${rows.join('\n')}
}
export type Ours = {
  [K in keyof HookMap]: {
    event: Loose<HookMap[K]['event']>;
    context: Loose<HookMap[K]['context']>;
    result: Exclude<HookMap[K]['result'], void>;
  };
};
`;
}

function differences(
  checker: ts.TypeChecker,
  source: ts.SourceFile | undefined,
  hooks: readonly string[],
): readonly string[] {
  const declared = (name: string): ts.Type => {
    const found = source?.statements.find(
      (each) =>
        (ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each)) && each.name.text === name,
    );
    if (found === undefined) throw new Error(`No type ${name} was made.`);
    return checker.getTypeAtLocation(found);
  };
  const member = (type: ts.Type, name: string): ts.Type => {
    const symbol = checker.getPropertyOfType(type, name);
    if (symbol === undefined) throw new Error(`No member ${name} in ${checker.typeToString(type)}.`);
    return checker.getTypeOfSymbol(symbol);
  };
  const [theirs, ours] = [declared('Upstream'), declared('Ours')];
  return hooks.flatMap((hook) =>
    parts.flatMap((part) => {
      const [there, here] = [member(member(theirs, hook), part), member(member(ours, hook), part)];
      // Upstream's plugins read what we give, and we read what they return.
      const [from, to] = part === 'result' ? [there, here] : [here, there];
      // What TypeScript could not find is `any`, and fits everything.
      if (isAny(there)) return [`${hook}.${part}`];
      const untyped = checker
        .getPropertiesOfType(there)
        .filter((field) => isAny(checker.getTypeOfSymbol(field)));
      const isFit = checker.isTypeAssignableTo(from, to);
      const unfit = isFit
        ? []
        : checker.getPropertiesOfType(to).filter((field) => !fits(checker, from, field));
      if (!isFit && unfit.length === 0) return [`${hook}.${part}`];
      return [...new Set([...unfit, ...untyped].map(({ name }) => `${hook}.${part}.${name}`))];
    }),
  );
}

function isAny(type: ts.Type): boolean {
  return (type.flags & ts.TypeFlags.Any) !== 0;
}

/** Whether a field of one type may stand where another type wants it. */
function fits(checker: ts.TypeChecker, from: ts.Type, wanted: ts.Symbol): boolean {
  const isOptional = (symbol: ts.Symbol): boolean => (symbol.flags & ts.SymbolFlags.Optional) !== 0;
  const given = checker.getPropertyOfType(from, wanted.name);
  if (given === undefined) return isOptional(wanted);
  if (isOptional(given) && !isOptional(wanted)) return false;
  return checker.isTypeAssignableTo(checker.getTypeOfSymbol(given), checker.getTypeOfSymbol(wanted));
}
