import type { Diagnostic, DiagnosticFix } from '../../contracts/diagnostic.ts';
import { checkPlugins, type DoctorFacts } from './checkPlugins.ts';

/** One problem and what to do about it. */
export interface DoctorProblem extends Diagnostic {
  /** Command lines that carry out what it offers; the best first. */
  readonly commands: readonly string[];
}

interface DoctorGroup {
  /** Absent for what concerns no single plugin. */
  readonly pluginId?: string;
  /** The worst first. */
  readonly problems: readonly DoctorProblem[];
}

export interface DoctorReport {
  readonly groups: readonly DoctorGroup[];
  readonly errors: number;
  readonly warnings: number;
}

/** Everything that is wrong with plugins, grouped by plugin in the order of the list, with remedies. Pure. */
export function planDoctorReport(facts: DoctorFacts): DoctorReport {
  const { plugins, diagnostics } = facts;
  const all = [...diagnostics, ...plugins.flatMap((each) => each.diagnostics), ...checkPlugins(facts)];
  const problems = withoutRepeats(all)
    .filter(isProblem)
    .map((each) => ({ ...each, commands: (each.fixes ?? []).flatMap((fix) => commandFor(fix) ?? []) }));
  const owners = ['', ...plugins.map(({ id }) => id)];
  const ids = [...new Set(problems.map(({ pluginId = '' }) => pluginId))];
  return {
    groups: ids
      .toSorted((a, b) => owners.indexOf(a) - owners.indexOf(b))
      .map((id) => ({
        ...(id === '' ? {} : { pluginId: id }),
        problems: problems.filter(({ pluginId = '' }) => pluginId === id).toSorted(worstFirst),
      })),
    errors: problems.filter(({ level }) => level === 'error').length,
    warnings: problems.filter(({ level }) => level === 'warn').length,
  };
}

/** True for what may be done unasked: it gives no plugin more rights and takes nothing from the user. */
export function isSafeFix(fix: DiagnosticFix): fix is Extract<DiagnosticFix, { kind: 'reload-plugin' }> {
  return fix.kind === 'reload-plugin';
}

/** The command line for a remedy, with `options`; undefined where the user has to edit something. */
export function commandFor(fix: DiagnosticFix, options: readonly string[] = []): string | undefined {
  const command = bareCommandFor(fix);
  return command === undefined ? undefined : [command, ...options.map(shellWord)].join(' ');
}

function bareCommandFor(fix: DiagnosticFix): string | undefined {
  const id = 'pluginId' in fix ? shellWord(fix.pluginId) : '';
  switch (fix.kind) {
    case 'enable-plugin':
      return `pincer plugins enable ${id}`;
    case 'disable-plugin':
      return `pincer plugins disable ${id}`;
    case 'allow-conversation-access':
      return `pincer plugins enable ${id} --allow-conversation`;
    case 'allow-prompt-injection':
      return `pincer plugins enable ${id} --allow-prompt-injection`;
    case 'allow-registrations':
      return `pincer plugins enable ${id} --allow-registrations`;
    case 'choose-slot':
      return `pincer plugins enable ${id} --slot ${shellWord(fix.slot)}`;
    case 'reload-plugin':
      return 'pincer plugins doctor --fix';
    case 'forget-plugin':
      return `pincer plugins forget ${id}`;
    case 'reset-consents':
      return 'pincer plugins reset-consents';
    case 'configure-plugin':
    case 'show-plugin-changes':
    case 'open-file':
      return undefined;
  }
}

/** Ids may hold anything; a line that is copied to a shell must stay one argument. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const levels = ['error', 'warn', 'info'] as const;

function worstFirst(a: Diagnostic, b: Diagnostic): number {
  return levels.indexOf(a.level) - levels.indexOf(b.level);
}

/** News is no problem unless there is something to do. */
function isProblem({ level, code, hint, fixes }: Diagnostic): boolean {
  if (level !== 'info') return true;
  return code !== 'plugin_first_run' && (hint !== undefined || fixes !== undefined);
}

function withoutRepeats(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const byText = new Map<string, Diagnostic>();
  for (const each of diagnostics) {
    const key = JSON.stringify([each.pluginId, each.code, each.message]);
    if (!byText.has(key)) byText.set(key, each);
  }
  return [...byText.values()];
}
