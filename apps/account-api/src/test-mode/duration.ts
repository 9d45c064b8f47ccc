/** ISO 8601: weeks, or days with hours, minutes and seconds. Months and years have no fixed length. */
const DURATION = /^P(?:(\d{1,4})W|(?=.)(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?)$/;
const SECONDS = [7 * 86_400, 86_400, 3_600, 60, 1];

/** The seconds of a duration such as `P3D` or `PT1H30M`; null for anything else. */
export function readDuration(text: string): number | null {
  const [, ...amounts] = DURATION.exec(text) ?? [];
  if (amounts.length === 0) return null;
  return amounts.reduce((sum, amount, index) => sum + Number(amount ?? 0) * (SECONDS[index] ?? 0), 0);
}
