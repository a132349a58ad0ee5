/** Every context key that Pincer sets for the `when` of package.json; a test compares the two. */
export const contextKeys = {
  'pincer.turnRunning': 'a turn runs in this window',
  'pincer.hasPendingApprovals': 'a question waits',
  'pincer.severalApprovals': 'more than one question waits',
  'pincer.canAllowCall': 'all of the call in the active editor was on screen, so that it can be allowed',
  'pincer.hasPendingEdits': 'a proposed edit waits',
  'pincer.isSearchingMemory': "the memory's search is open",
  'pincer.memoryState': '`off`, `empty` or `filled`; unset until the view was shown',
  'pincer.memoryWorking': 'the memory reads files',
  'pincer.hasInterruptedTurn': 'a turn was cut off and can be resumed',
  'pincer.hasSessions': 'there is a session',
  'pincer.hasDamagedSessions': 'a transcript can be repaired',
  'pincer.hasWaitingMessages': 'a message waits to be read',
  'pincer.hasGrants': 'something is allowed for good',
  'pincer.hasCheckpoints': 'a turn changed files',
  'pincer.hasJobs': 'a command runs or has run',
  'pincer.models':
    '`builtIn` where no other model was added, else `added`; unset until the runtime has loaded',
  'pincer.hasModels': 'the config names a model',
  'pincer.hasFixes': 'a problem has a remedy',
  'pincer.hasDisabledPlugins': 'a plugin is off',
  'pincer.hasChangedPlugins': 'files of an allowed plugin have changed',
  'pincer.hasUndevelopedPlugins': 'a workspace plugin could be developed',
  'pincer.hasDevelopedPlugins': 'a plugin is being developed',
  'pincer.hasConsents': 'a workspace plugin was allowed',
  'pincer.hasInstalledPlugins': 'a plugin was installed for the user',
  'pincer.hasHooks': 'there is an operator hook',
  'pincer.hasDisabledHooks': 'an operator hook is off and could be on',
  'pincer.hasChangedHooks': 'files of an allowed operator hook have changed',
  'pincer.hasEnabledHooks': 'an operator hook is on',
} as const;

export type ContextKey = keyof typeof contextKeys;
