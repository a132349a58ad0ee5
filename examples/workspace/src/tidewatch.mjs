import { readFile } from 'node:fs/promises';

/** The next `count` rows of a tide table after `now`. */
export function nextTides(csv, now, count = 4) {
  return csv
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([time, height, kind]) => ({ time: new Date(time), height: Number(height), kind }))
    .filter((row) => row.time > now)
    .slice(0, count);
}

if (process.argv[2] !== undefined) {
  const csv = await readFile(new URL(`../tables/${process.argv[2]}.csv`, import.meta.url), 'utf8');
  for (const { time, height, kind } of nextTides(csv, new Date())) {
    console.log(`${time.toLocaleString()}  ${kind.padEnd(4)}  ${height.toFixed(1)} m`);
  }
}
