import { inertLine } from '../base/text.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import { findPatternFault } from '../shell/commandPattern.ts';

/** A warning for each pattern of the allow list that covers less than it seems to. Pure. */
export function idlePatterns(allow: readonly string[], source: string): readonly Diagnostic[] {
  return allow.flatMap((pattern): readonly Diagnostic[] => {
    const fault = findPatternFault(pattern);
    if (fault === undefined) return [];
    return [
      {
        level: 'warn',
        code: 'exec_pattern_idle',
        message: `tools.exec.allow: “${inertLine(pattern, 120)}” ${inertLine(fault, 300)}`,
        hint: 'Name the commands that you mean, or answer one of them with “always”.',
        source,
      },
    ];
  });
}
