/** What front ends need to look at, make and install plugins; they load it lazily. */
export { createConsentStore, readConsents } from '../consent/consentStore.ts';
export { installPlugin } from '../install/installPlugin.ts';
export { uninstallPlugin } from '../install/uninstallPlugin.ts';
export { checkPluginId } from '../scaffold/checkPluginId.ts';
export { starterTitles } from '../scaffold/starters.ts';
export { writeScaffold } from '../scaffold/writeScaffold.ts';
export { findLeftovers, findLostConsents } from './findLeftovers.ts';
export { inspectPlugins, inspectTools, sumTimings, withTools } from './inspectPlugins.ts';
export { commandFor, isSafeFix, planDoctorReport } from './planDoctorReport.ts';
export { loadConfig } from '../../config/loadConfig.ts';
export { createNodeFileSystem } from '../../host/node/nodeFileSystem.ts';
export { createCoreTools } from '../../tools/coreTools.ts';
export { createDiskFiles } from '../../tools/createDiskFiles.ts';
