// Adds `@ApiProperty()` to the properties of classes in files that end with .dto.ts. The options are derived from the type, the doc
// comment and the validators of the property. The plugin of @nestjs/swagger does the same, but needs the types of the whole program
// and cannot derive formats (docs/adr/0041-properties-of-dtos.md).
const ts = require('typescript');

const FILE = /\.dto\.ts$/;

/** Types of @heliograph/contracts that are more than a JavaScript type. */
const FORMATS = {
  Uuid: "type: String, format: 'uuid'",
  Timestamp: "type: String, format: 'date-time'",
  Uri: "type: String, format: 'uri'",
  Integer: "type: 'integer'",
};

/** Validators of class-validator that limit a value, and the keyword of their first argument. */
const LIMITS = {
  Min: 'minimum',
  Max: 'maximum',
  MinLength: 'minLength',
  MaxLength: 'maxLength',
  ArrayMinSize: 'minItems',
  ArrayMaxSize: 'maxItems',
  IsIn: 'enum',
};

const HIDDEN = ['ApiHideProperty', 'Exclude'];

/** Returns the source of a DTO file with its described properties, on the same lines. Other files are returned as they are. */
function describeProperties(source, file) {
  if (!FILE.test(file)) return source;
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const names = namesOf(parsed);
  const insertions = [];
  for (const node of parsed.statements) {
    if (!ts.isClassDeclaration(node)) continue;
    for (const member of node.members) {
      if (!ts.isPropertyDeclaration(member) || !isPublic(member)) continue;
      const options = optionsOf(member, names, node.name?.text ?? '');
      if (options !== null) insertions.push([positionOf(member), `@describedProperty({ ${options} }) `]);
    }
  }
  if (insertions.length === 0) return source;
  let result = source;
  for (const [position, text] of insertions.reverse()) {
    result = result.slice(0, position) + text + result.slice(position);
  }
  return `${result}\nimport { ApiProperty as describedProperty } from '@nestjs/swagger';\n`;
}

/** The names that can be classes (declared in the file, or imported as values), and the types that the file declares, with their nodes. */
function namesOf(parsed) {
  const classes = new Set();
  const types = new Map();
  for (const node of parsed.statements) {
    if (ts.isClassDeclaration(node) && node.name) classes.add(node.name.text);
    if (ts.isTypeAliasDeclaration(node) && !node.typeParameters) types.set(node.name.text, node.type);
    if (!ts.isImportDeclaration(node) || !node.importClause || node.importClause.isTypeOnly) continue;
    const { namedBindings } = node.importClause;
    if (!namedBindings || !ts.isNamedImports(namedBindings)) continue;
    for (const { name, isTypeOnly } of namedBindings.elements) if (!isTypeOnly) classes.add(name.text);
  }
  return { classes, types };
}

function isPublic(member) {
  return !member.modifiers?.some(({ kind }) =>
    [
      ts.SyntaxKind.PrivateKeyword,
      ts.SyntaxKind.ProtectedKeyword,
      ts.SyntaxKind.StaticKeyword,
      ts.SyntaxKind.DeclareKeyword,
    ].includes(kind),
  );
}

/** After the other decorators, so that it is evaluated first and the others override it. */
function positionOf(member) {
  const others = (member.modifiers ?? []).filter((modifier) => !ts.isDecorator(modifier));
  return (others[0] ?? member.name).getStart();
}

/** The options of `@ApiProperty()`, as source text; null for a property that is not described. */
function optionsOf(member, names, className) {
  const decorators = decoratorsOf(member);
  if (HIDDEN.some((name) => decorators.has(name))) return null;
  const options = [];
  const type = typeOf(member.type, names);
  if (type !== null) options.push(type);
  // Another decorator, such as one for several DTOs, may describe the property.
  else if (decorators.size === 0) {
    throw new Error(
      `${placeOf(member, className)} needs a type in @ApiProperty(), because its own type tells too little`,
    );
  }
  if (type?.startsWith('type() {') && isChecked(decorators) && !decorators.has('Type')) {
    throw new Error(`${placeOf(member, className)} needs @Type(() => …), without which it accepts unknown fields`);
  }
  if (isNullable(member.type)) options.push('nullable: true');
  options.push(`required: ${!member.questionToken && !member.initializer}`);
  for (const [name, keyword] of Object.entries(LIMITS)) {
    const argument = decorators.get(name);
    const isKnown = keyword === 'enum' && type?.includes('enum: ');
    if (argument && !isKnown) options.push(`${keyword}: ${argument.getText()}`);
  }
  const { description, tags } = commentOf(member);
  if (description) options.push(`description: ${JSON.stringify(description)}`);
  for (const [keyword, value] of tags) options.push(`${keyword}: ${value}`);
  return options.join(', ');
}

function placeOf(member, className) {
  return `${member.getSourceFile().fileName}: ${className}.${member.name.getText()}`;
}

/** Whether a property is part of a request. Those of responses have no rules. */
function isChecked(decorators) {
  return [...decorators.keys()].some((name) => !name.startsWith('Api'));
}

/** The first arguments of the decorators, by name. */
function decoratorsOf(member) {
  const found = new Map();
  for (const { expression } of ts.getDecorators(member) ?? []) {
    if (!ts.isCallExpression(expression)) continue;
    found.set(expression.expression.getText(), expression.arguments[0]);
  }
  return found;
}

/** The options for a type; null if the syntax does not tell. */
function typeOf(node, names) {
  if (!node) return null;
  if (ts.isParenthesizedTypeNode(node)) return typeOf(node.type, names);
  if (ts.isUnionTypeNode(node)) return unionOf(node, names);
  if (ts.isArrayTypeNode(node)) return arrayOf(node.elementType, names);
  if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword) return typeOf(node.type, names);
  if (ts.isLiteralTypeNode(node)) return enumOf([node]);
  if (ts.isIndexedAccessTypeNode(node)) return valuesOf(node);
  if (ts.isTypeReferenceNode(node)) return referenceOf(node, names);
  switch (node.kind) {
    case ts.SyntaxKind.StringKeyword:
      return 'type: String';
    case ts.SyntaxKind.NumberKeyword:
      return 'type: Number';
    case ts.SyntaxKind.BooleanKeyword:
      return 'type: Boolean';
    default:
      return null;
  }
}

function unionOf({ types }, names) {
  const others = types.filter((type) => !isNull(type));
  const [only] = others;
  if (others.length === 1) return typeOf(only, names);
  return others.every(ts.isLiteralTypeNode) ? enumOf(others) : null;
}

function isNullable(type) {
  return type !== undefined && ts.isUnionTypeNode(type) && type.types.some(isNull);
}

function isNull(type) {
  return ts.isLiteralTypeNode(type) && type.literal.kind === ts.SyntaxKind.NullKeyword;
}

/** Literals, such as `'queued' | 'sent'`. */
function enumOf(literals) {
  const values = literals.map(({ literal }) => literal.getText());
  const kinds = new Set(
    values.map((value) => (/^['"]/.test(value) ? 'String' : /^(true|false)$/.test(value) ? 'Boolean' : 'Number')),
  );
  const [kind] = kinds;
  return kinds.size === 1 ? `type: ${kind}, enum: [${values.join(', ')}]` : null;
}

/** `(typeof VALUES)[number]` */
function valuesOf({ objectType, indexType }) {
  const inner = ts.isParenthesizedTypeNode(objectType) ? objectType.type : objectType;
  const isElement = indexType.kind === ts.SyntaxKind.NumberKeyword && ts.isTypeQueryNode(inner);
  return isElement ? `enum: ${inner.exprName.getText()}` : null;
}

function arrayOf(element, names) {
  const options = typeOf(element, names);
  if (options === null || options.includes('isArray')) return null;
  return `${options}, isArray: true`;
}

function referenceOf({ typeName, typeArguments }, names) {
  const name = typeName.getText();
  if (name in FORMATS) return FORMATS[name];
  if (name === 'Record' && typeArguments?.length === 2) return recordOf(typeArguments[1]);
  if (typeArguments) return null;
  if (names.types.has(name)) return typeOf(names.types.get(name), names);
  if (!names.classes.has(name)) return null;
  // Nest recognizes a function by its name, which the bundler removes from arrow functions.
  return `type() { return ${name}; }`;
}

function recordOf(value) {
  if (value.kind === ts.SyntaxKind.UnknownKeyword) return "type: 'object', additionalProperties: true";
  const simple = {
    [ts.SyntaxKind.StringKeyword]: 'string',
    [ts.SyntaxKind.NumberKeyword]: 'number',
    [ts.SyntaxKind.BooleanKeyword]: 'boolean',
  };
  const type = simple[value.kind];
  return type ? `type: 'object', additionalProperties: { type: '${type}' }` : null;
}

/** The doc comment of a property: its text, and `@example` and `@default` with JSON or plain text. */
function commentOf(member) {
  const documents = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc);
  const document = documents.at(-1);
  if (!document) return { description: '', tags: [] };
  const text = ts.getTextOfJSDocComment(document.comment) ?? '';
  const tags = (document.tags ?? []).flatMap((tag) => {
    const keyword = tag.tagName.text;
    if (keyword !== 'example' && keyword !== 'default') return [];
    return [[keyword, valueOf((ts.getTextOfJSDocComment(tag.comment) ?? '').trim())]];
  });
  return { description: paragraphsOf(text), tags };
}

function paragraphsOf(text) {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s*\n\s*/g, ' '))
    .join('\n\n');
}

function valueOf(text) {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return JSON.stringify(text);
  }
}

module.exports = { describeProperties };
