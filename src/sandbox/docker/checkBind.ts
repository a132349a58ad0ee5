import { errorMessage, PincerError } from '../../base/errors.ts';
import type { FileSystem } from '../../host/ports.ts';
import type { Bind, BindRules, BindVerdict } from './bindTypes.ts';
import { findBindConflict, findBindFault } from './decideBind.ts';
import { parseBind } from './parseBind.ts';

/**
 * Decides about a bind by its text and then by where it really lies; the source must be there. What comes out names the real
 * place, so that no link is left for Docker to follow. Asked again right before a container is made.
 * @param others binds of the same container that stand already
 */
export async function checkBind(
  fs: Pick<FileSystem, 'realpath'>,
  text: string,
  rules: BindRules,
  others: readonly Bind[] = [],
): Promise<BindVerdict> {
  const parsed = parseBind(text, rules.platform);
  if ('reason' in parsed)
    return refused(`Sandbox security: bind mount "${text}" is refused: ${parsed.reason}.`);
  const lexical = findBindFault(parsed, rules);
  if (lexical !== undefined) return refused(lexical);
  const real = await realSource(fs, parsed.source, rules);
  if ('fault' in real) return refused(real.fault);
  const bind = { ...parsed, source: real.path };
  const fault = findBindFault(bind, { ...rules, roots: real.roots }) ?? findBindConflict(bind, others, rules);
  return fault === undefined ? { ok: true, bind } : refused(fault);
}

/** Where the source and the allowed roots really lie: the user may have opened a folder through a link. */
async function realSource(
  fs: Pick<FileSystem, 'realpath'>,
  source: string,
  rules: BindRules,
): Promise<{ readonly path: string; readonly roots: readonly string[] } | { readonly fault: string }> {
  try {
    const path = await fs.realpath(source);
    const roots: string[] = [];
    for (const root of rules.roots) roots.push(await fs.realpath(root));
    return { path, roots };
  } catch (error) {
    if (!(error instanceof PincerError)) throw error;
    return {
      fault: `Sandbox security: bind mount source "${source}" can't be resolved: ${errorMessage(error)}`,
    };
  }
}

function refused(reason: string): BindVerdict {
  return { ok: false, fault: { reason } };
}
