/** One measurement: seconds since the start, and the value. */
export interface Sample {
  atSeconds: number;
  value: number;
}

export interface Trend {
  mean: number;
  /** How much the regression line rises from the first to the last sample. */
  growth: number;
  /** Twice the standard error of `growth`: a growth below it can be chance. */
  uncertainty: number;
}

/** The linear regression of samples. Requires at least three. */
export function trendOf(samples: readonly Sample[]): Trend {
  const count = samples.length;
  if (count < 3) throw new Error(`A trend needs at least three samples, not ${count}.`);
  const meanAt = samples.reduce((sum, { atSeconds }) => sum + atSeconds, 0) / count;
  const mean = samples.reduce((sum, { value }) => sum + value, 0) / count;
  const spread = samples.reduce((sum, { atSeconds }) => sum + (atSeconds - meanAt) ** 2, 0);
  const together = samples.reduce((sum, { atSeconds, value }) => sum + (atSeconds - meanAt) * (value - mean), 0);
  const slope = together / spread;
  const residuals = samples.reduce(
    (sum, { atSeconds, value }) => sum + (value - mean - slope * (atSeconds - meanAt)) ** 2,
    0,
  );
  const duration =
    Math.max(...samples.map(({ atSeconds }) => atSeconds)) - Math.min(...samples.map(({ atSeconds }) => atSeconds));
  const standardError = Math.sqrt(residuals / (count - 2) / spread);
  return { mean, growth: slope * duration, uncertainty: 2 * standardError * duration };
}

/** Whether a value is flat: its growth is chance, or less than a share of the mean, or less than an absolute amount. */
export function isFlat({ mean, growth, uncertainty }: Trend, allowed: { share: number; amount: number }): boolean {
  return growth <= Math.max(uncertainty, mean * allowed.share, allowed.amount);
}
