import { join } from 'node:path';
import ts from 'typescript';
import { projectRoot } from './projectRoot.ts';

/** One field of an event, context or result as its type declares it. */
export interface HookField {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  /** The first sentence of its comment. */
  readonly note: string;
}

/** What the types of one hook say. */
export interface HookTypes {
  readonly event: readonly HookField[];
  /** `ToolHookContext` */
  readonly contextName: string;
  readonly context: readonly HookField[];
  readonly result: readonly HookField[];
}

/** Reads the payload types of every hook from `src/hooks/hookMap.ts` with the compiler. */
export function readHookTypes(): ReadonlyMap<string, HookTypes> {
  const file = join(projectRoot, 'src/hooks/hookMap.ts');
  const { options } = ts.getParsedCommandLineOfConfigFile(
    join(projectRoot, 'tsconfig.json'),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
      },
    },
  ) ?? { options: {} };
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const map = source?.statements.find(
    (each) => ts.isInterfaceDeclaration(each) && each.name.text === 'HookMap',
  );
  if (map === undefined) throw new Error(`${file} has no HookMap.`);
  const partsOf = (shape: ts.Type, name: string): ts.Type => {
    const symbol = shape.getProperty(name);
    if (symbol === undefined) throw new Error(`A hook has no ${name}.`);
    return checker.getTypeOfSymbol(symbol);
  };
  return new Map(
    checker
      .getTypeAtLocation(map)
      .getProperties()
      .map((hook) => {
        const shape = checker.getTypeOfSymbol(hook);
        const context = partsOf(shape, 'context');
        const types: HookTypes = {
          event: fieldsOf(checker, partsOf(shape, 'event')),
          contextName: context.symbol.name,
          context: fieldsOf(checker, context),
          result: fieldsOf(checker, partsOf(shape, 'result')),
        };
        return [hook.name, types];
      }),
  );
}

/** The fields of an object type; of a union, those of all its members, optional where one has it not. */
function fieldsOf(checker: ts.TypeChecker, type: ts.Type): readonly HookField[] {
  const members = type.isUnion() ? type.types : [type];
  const fields = new Map<string, HookField>();
  for (const member of members.filter((each) => isStructured(each))) {
    for (const symbol of member.getProperties()) {
      const field = toField(checker, symbol);
      const known = fields.get(field.name);
      const types = known === undefined ? field.type : joinTypes(known.type, field.type);
      fields.set(field.name, { ...field, type: types, note: field.note || (known?.note ?? '') });
    }
  }
  const isInAll = (name: string): boolean =>
    members.every((member) => isStructured(member) && member.getProperty(name) !== undefined);
  return [...fields.values()].map((field) => ({
    ...field,
    isOptional: field.isOptional || !isInAll(field.name),
  }));
}

function isStructured({ flags }: ts.Type): boolean {
  return (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
}

function joinTypes(one: string, other: string): string {
  return one === other ? one : `${one} | ${other}`;
}

function toField(checker: ts.TypeChecker, symbol: ts.Symbol): HookField {
  const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
  const type = checker.typeToString(
    checker.getTypeOfSymbol(symbol),
    undefined,
    ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope,
  );
  const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(/\s+/gu, ' ');
  return {
    name: symbol.name,
    type: isOptional ? type.replace(/ \| undefined$/u, '') : type,
    isOptional,
    note: comment,
  };
}
