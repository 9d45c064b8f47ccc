// The package has no types for this path, from which @nestjs/mapped-types copies the `@Type()` of a class.
declare module 'class-transformer/cjs/storage' {
  export const defaultMetadataStorage: {
    /** The `@Type()` of a property, also if a base class declares it. */
    findTypeMetadata(target: object, property: string): { typeFunction: () => unknown } | undefined;
  };
}
