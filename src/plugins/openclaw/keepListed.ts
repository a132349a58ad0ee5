import { listedMethods, unlistedMethod, type ListedMethod } from '../listed/listedMethods.ts';
import { errorDiagnostic, warnDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginApiParts } from './pluginApiParts.ts';

/** Keeps a registration that has no effect: checked, listed, and named in a warning that says what is lost. */
export function keepListed(parts: PluginApiParts, method: string, args: readonly unknown[]): void {
  const { registrations, manifest, candidate } = parts;
  const known: ListedMethod | undefined = Object.hasOwn(listedMethods, method)
    ? listedMethods[method]
    : undefined;
  const { kind, lost, read, taken } = known ?? unlistedMethod(method);
  const refuse = (message: string): void =>
    void registrations.diagnostics.push(
      errorDiagnostic('plugin_registration_refused', message, {
        pluginId: manifest.id,
        source: candidate.source,
      }),
    );
  const result = read(args, manifest);
  if ('problem' in result) {
    refuse(result.problem);
    return;
  }
  const { name } = result;
  const isRepeated = registrations.listed.some((each) => each.method === method && each.name === name);
  if (isRepeated) {
    if (taken !== undefined) refuse(taken(name, manifest.id));
    return;
  }
  registrations.listed.push({ kind, name, method, value: args[0] });
  registrations.diagnostics.push(
    warnDiagnostic('plugin_registration_unused', `${unusedText(kind, name)} has no effect here: ${lost}`, {
      pluginId: manifest.id,
    }),
  );
}

/** `speech provider tts` holds what it is; a route is named by its kind and its path. */
function unusedText(kind: string, name: string): string {
  return kind === 'other' ? name : `${kind} "${name}"`;
}
