import { showMeasured, showSplit, type Measured } from '../measure';
import type { Options } from '../options';
import { appendRow } from '../results';

/** What a send that is charged and kept must be worth, in those of a loop that keeps nothing. */
const LEAST_SENDS = 0.6;
/** What an update must be worth, in those of a plain endpoint. */
const LEAST_UPDATES = 2;
const MOST_UPLOAD_MB = 100;

type Names = 'send' | 'bare' | 'slowSend' | 'slowBare' | 'hook' | 'plain';

export interface ChatappResults extends Record<Names, Measured> {
  uploadMb: number;
}

const TITLES: Record<Names, string> = {
  send: '(a) sends, answers at once',
  bare: '(b) bare client loop',
  slowSend: '(c) sends, answers after 100 ms',
  slowBare: '(d) bare client loop',
  hook: '(e) webhook updates',
  plain: '(f) plain endpoint',
};

/** Answers what is broken, a ratio that is too small among it. */
export function reportChatapp(results: ChatappResults, broken: string[], options: Options): string[] {
  const names = Object.keys(TITLES) as Names[];
  for (const name of names) {
    console.log(showMeasured(TITLES[name], results[name]));
    console.log(`    CPU s/1000: ${showSplit(results[name])}`);
  }
  const { send, bare, slowSend, slowBare, hook, plain, uploadMb } = results;
  const [quick, slow, updates] = [
    send.perSecond / bare.perSecond,
    slowSend.perSecond / slowBare.perSecond,
    hook.perSecond / plain.perSecond,
  ];
  console.log(`an upload of 90 MB                 ${uploadMb.toFixed(0).padStart(6)} MB more memory`);
  console.log(`a/b ${quick.toFixed(2)}  c/d ${slow.toFixed(2)}  e/f ${updates.toFixed(2)}`);
  appendRow('Chat-app', options, [
    ...names.map((name) => results[name].perSecond.toFixed(0)),
    ...[quick, slow, updates].map((ratio) => ratio.toFixed(2)),
    `${send.p50Ms.toFixed(1)} / ${send.p99Ms.toFixed(1)}`,
    `${slowSend.p50Ms.toFixed(1)} / ${slowSend.p99Ms.toFixed(1)}`,
    uploadMb.toFixed(0),
    broken.length === 0 ? 'hold' : 'BROKEN',
  ]);
  const missed: [boolean, string][] = [
    [quick < LEAST_SENDS, `a/b is below ${LEAST_SENDS}`],
    [slow < LEAST_SENDS, `c/d is below ${LEAST_SENDS}`],
    [updates < LEAST_UPDATES, `e/f is below ${LEAST_UPDATES}`],
    [uploadMb > MOST_UPLOAD_MB, `an upload takes more than ${MOST_UPLOAD_MB} MB`],
  ];
  return [...broken, ...missed.filter(([is]) => is).map(([, what]) => what)];
}
