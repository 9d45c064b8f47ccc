import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { allowAnyOrigin, allowAnyReader } from './cross-origin';

@Module({})
export class CrossOriginModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(allowAnyOrigin).forRoutes('api/v1/chat/{*path}');
    consumer.apply(allowAnyReader).forRoutes('bots/widget.js', 'bots/widget/config', 'bots/assets/{*path}');
  }
}
