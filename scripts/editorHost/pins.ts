/** The exact versions that the editor host is made of. Changing one sets it up again. */
export const pins = {
  /** npm package that carries the VS Code server; its last three numbers are VS Code's own version. */
  codeServer: '4.139.1',
  /** The VS Code release inside it. */
  vscode: '1.139.1',
  /** The extension that gets no proposed API there, as it gets none in the VS Code that people have. */
  strictFor: 'pincer-dev.pincer',
  /** npm package that carries a headless Chromium, for machines without Chrome. */
  chromium: '153.0.0',
  /** The server's native modules that have to be compiled for our Node. Kerberos is left out: only proxies use it. */
  natives: [
    'node-pty',
    '@vscode/spdlog',
    '@parcel/watcher',
    '@vscode/native-watchdog',
    '@vscode/fs-copyfile',
  ],
} as const;
