import { userConfigPath } from '../config/configPaths.ts';
import { editConfigFile } from '../config/editConfigFile.ts';
import { PincerError } from '../base/errors.ts';
import type { FileSystem } from '../host/ports.ts';
import type { OperatorHooks } from '../plugins/operatorHooks/operatorHooks.ts';

/** @throws PincerError `hook_unknown`, `hook_changed` when the files are no longer those of `seenHash`, `config_syntax` */
export async function setHookEnabled(
  { hooks, fs, home }: { readonly hooks: OperatorHooks; readonly fs: FileSystem; readonly home: string },
  name: string,
  isEnabled: boolean,
  seenHash: string | undefined,
): Promise<void> {
  const records = hooks.list().filter((each) => each.name === name);
  const record = records.find((each) => each.needsConsent !== undefined) ?? records[0];
  if (record === undefined) {
    throw new PincerError('hook_unknown', `There is no operator hook ${name}.`, {
      hint: 'pincer hooks list names all of them.',
    });
  }
  // Consent first: where it fails, nothing may say that the hook is on.
  if (isEnabled && record.needsConsent !== undefined) await hooks.grantConsent(name, seenHash);
  await editConfigFile(
    fs,
    userConfigPath(home),
    ['hooks', 'internal', 'entries', record.key, 'enabled'],
    isEnabled,
  );
}
