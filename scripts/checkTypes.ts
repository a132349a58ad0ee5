import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';

/** Has the compiler read `text`, a module on its own, and gives what `look` makes of its types. */
export async function checkTypes<T>(
  text: string,
  look: (checker: ts.TypeChecker, source: ts.SourceFile | undefined) => T,
  options: ts.CompilerOptions = {},
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'pincer-types-'));
  try {
    const file = join(folder, 'types.ts');
    await writeFile(file, text);
    const program = ts.createProgram([file], {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ESNext,
      types: [],
      ...options,
    });
    return look(program.getTypeChecker(), program.getSourceFile(file));
  } finally {
    await rm(folder, { recursive: true });
  }
}
