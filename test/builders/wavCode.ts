/** JavaScript whose value is a Buffer of silence as WAV, for plugins of tests: 8000 samples a second. */
export function wavCode(seconds: number): string {
  const bytes = String(Math.round(seconds * 8_000));
  return `(() => {
    const wav = Buffer.alloc(44 + ${bytes}, 128);
    wav.write('RIFF', 0); wav.writeUInt32LE(36 + ${bytes}, 4); wav.write('WAVEfmt ', 8); wav.writeUInt32LE(16, 16);
    wav.writeUInt16LE(1, 20); wav.writeUInt16LE(1, 22); wav.writeUInt32LE(8000, 24); wav.writeUInt32LE(8000, 28);
    wav.writeUInt16LE(1, 32); wav.writeUInt16LE(8, 34); wav.write('data', 36); wav.writeUInt32LE(${bytes}, 40);
    return wav;
  })()`;
}
