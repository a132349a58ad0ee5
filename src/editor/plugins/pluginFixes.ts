import * as vscode from 'vscode';
import type { DiagnosticFix } from '../../contracts/diagnostic.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { FixCommandId, FixTarget, MenuFixKind } from '../commandTable.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import { withFixes } from './planFixes.ts';
import { registerAgreedDocuments } from './showPluginChanges.ts';

const kinds = Object.keys({
  'allow-conversation-access': 0,
  'allow-prompt-injection': 0,
  'enable-plugin': 0,
  'disable-plugin': 0,
  'choose-slot': 0,
  'allow-registrations': 0,
  'configure-plugin': 0,
  'reload-plugin': 0,
} satisfies Record<MenuFixKind, 0>) as readonly MenuFixKind[];

/** What can be done about a problem, from its row, from the Problems panel and from the palette. */
export function registerPluginFixes(runtime: LazyRuntime): vscode.Disposable {
  const run = async (target: FixTarget, kind?: DiagnosticFix['kind']): Promise<void> => {
    const loaded = await runtime.get();
    const fix = await chooseFix(loaded, target, kind);
    if (fix === undefined) return;
    const { applyPluginFix } = await import('../onDemand.ts');
    await applyPluginFix(loaded, fix);
  };
  return vscode.Disposable.from(
    registerAgreedDocuments(runtime),
    registerCommand('pincer.plugins.applyFix', (target) => run(target)),
    ...kinds.map((kind) =>
      registerCommand(`pincer.fix.${kind}` satisfies FixCommandId, (target) => run(target, kind)),
    ),
  );
}

async function chooseFix(
  runtime: Pick<Runtime, 'workspace' | 'plugins'>,
  target: FixTarget,
  kind: DiagnosticFix['kind'] | undefined,
): Promise<DiagnosticFix | undefined> {
  if (target !== undefined && 'fix' in target) return target.fix;
  const problems =
    target === undefined
      ? withFixes(runtime.workspace.diagnostics(), runtime.plugins.plugins())
      : [target.diagnostic];
  const { pickFix } = await import('../onDemand.ts');
  return await pickFix(
    problems.map((problem) => ({
      ...problem,
      fixes: (problem.fixes ?? []).filter((fix) => kind === undefined || fix.kind === kind),
    })),
  );
}
