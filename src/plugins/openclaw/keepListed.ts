import { listedMethods, unlistedMethod, type ListedMethod } from '../listed/listedMethods.ts';
import { errorDiagnostic, infoDiagnostic } from '../pluginDiagnostics.ts';
import type { PluginApiParts } from './pluginApiParts.ts';

/** Keeps a registration that nothing uses yet: checked, listed, and named in a diagnostic. */
export function keepListed(parts: PluginApiParts, method: string, args: readonly unknown[]): void {
  const { registrations, manifest, candidate } = parts;
  const known: ListedMethod | undefined = Object.hasOwn(listedMethods, method)
    ? listedMethods[method]
    : undefined;
  const { kind, notYet, read, taken } = known ?? unlistedMethod(method);
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
  if (isRepeated && taken !== undefined) {
    refuse(taken(name, manifest.id));
    return;
  }
  registrations.listed.push({ kind, name, method, value: args[0] });
  registrations.diagnostics.push(
    infoDiagnostic('plugin_registration_unused', `${kind} "${name}" is registered, but ${notYet}`, {
      pluginId: manifest.id,
    }),
  );
}
