import { latencyCell, printMeasurements, type Measurement } from '../../measure';
import type { Options } from '../../options';
import { appendRow } from '../../results';

/** The minimum rate of sends that are charged and stored, relative to a client loop that stores nothing. */
const MIN_SEND_RATIO = 0.6;
/** The minimum rate of updates, relative to a plain endpoint. */
const MIN_UPDATE_RATIO = 2;
const MAX_UPLOAD_MB = 100;

type Names = 'send' | 'plainSend' | 'slowSend' | 'slowPlainSend' | 'hook' | 'plainHook';

export interface ChatappResults extends Record<Names, Measurement> {
  uploadMb: number;
}

const TITLES: Record<Names, string> = {
  send: '(a) sends, fast provider',
  plainSend: '(b) plain client loop',
  slowSend: '(c) sends, provider takes 100 ms',
  slowPlainSend: '(d) plain client loop',
  hook: '(e) webhook updates',
  plainHook: '(f) plain endpoint',
};

/** Resolves with the violations and the missed targets. */
export function reportChatapp(results: ChatappResults, violations: string[], options: Options): string[] {
  printMeasurements(TITLES, results);
  const { send, plainSend, slowSend, slowPlainSend, hook, plainHook, uploadMb } = results;
  const fast = send.perSecond / plainSend.perSecond;
  const slow = slowSend.perSecond / slowPlainSend.perSecond;
  const updates = hook.perSecond / plainHook.perSecond;
  console.log(`an upload of 90 MB                 ${uploadMb.toFixed(0).padStart(6)} MB more memory`);
  console.log(`a/b ${fast.toFixed(2)}  c/d ${slow.toFixed(2)}  e/f ${updates.toFixed(2)}`);
  appendRow('Chat-app', options, [
    ...(Object.keys(TITLES) as Names[]).map((name) => results[name].perSecond.toFixed(0)),
    ...[fast, slow, updates].map((ratio) => ratio.toFixed(2)),
    latencyCell(send),
    latencyCell(slowSend),
    uploadMb.toFixed(0),
    violations.length === 0 ? 'hold' : 'BROKEN',
  ]);
  const targets: [boolean, string][] = [
    [fast < MIN_SEND_RATIO, `a/b is below ${MIN_SEND_RATIO}`],
    [slow < MIN_SEND_RATIO, `c/d is below ${MIN_SEND_RATIO}`],
    [updates < MIN_UPDATE_RATIO, `e/f is below ${MIN_UPDATE_RATIO}`],
    [uploadMb > MAX_UPLOAD_MB, `an upload needs more than ${MAX_UPLOAD_MB} MB`],
  ];
  return [...violations, ...targets.filter(([isMissed]) => isMissed).map(([, target]) => target)];
}
