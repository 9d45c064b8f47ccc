export const isContinuousIntegration = (): boolean => process.env['CI'] === 'true';
