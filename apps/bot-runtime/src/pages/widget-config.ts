import type { AvailableBot } from '@heliograph/bot-catalog';
import type { WidgetConfig } from '@heliograph/bot-widget';
import type { PublicAddresses } from './public-addresses';

/** The widget configuration of a bot. It does not identify the owner. */
export function widgetConfig(
  { publicId, name, slug, locale, branding }: Pick<AvailableBot, 'publicId' | 'name' | 'slug' | 'locale' | 'branding'>,
  addresses: PublicAddresses,
): WidgetConfig {
  return {
    ok: true,
    botId: publicId,
    name,
    slug,
    locale,
    color: branding.color,
    ...(branding.logo === null ? {} : { logo: branding.logo }),
    welcome: branding.welcome,
    apiBase: addresses.apiBase,
    embedUrl: addresses.embedUrl(publicId),
  };
}
