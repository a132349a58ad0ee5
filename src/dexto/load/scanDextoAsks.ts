import type { StorageConfig } from '../agentFile/storageConfig.ts';
import { ownCode } from '../../plugins/consent/ownCode.ts';
import { scanAsks } from '../../plugins/consent/scanAsks.ts';
import type { PluginFile } from '../../plugins/consent/readPluginFiles.ts';
import type { PluginAsks } from '../../plugins/pluginTypes.ts';
import { describeStorage } from './describeStorage.ts';
import { extensionPoints } from '../pointRules.ts';

/**
 * What a plugin is going to do, read from its text without running it. Whoever has an extension point may see what is said: tool
 * calls and answers hold it, and all of them get the session. Every plugin has a point; where the text names none, or was not read
 * to its end, it may be any. Pure.
 */
export function scanDextoAsks(files: readonly PluginFile[], storage: StorageConfig): PluginAsks {
  const asks = scanAsks(files, { contractTools: [] });
  const { text, isWhole } = ownCode(files);
  const named = extensionPoints.filter((point) => text.includes(point));
  return {
    ...asks,
    hooks: [],
    tools: [],
    commands: [],
    registers: [],
    conversation: true,
    points: isWhole && named.length > 0 ? named : extensionPoints,
    storage: describeStorage(storage),
  };
}
