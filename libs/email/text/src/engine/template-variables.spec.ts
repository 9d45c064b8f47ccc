import { parseEmailTemplate } from '../email-template';

const parse = (text: string) => parseEmailTemplate({ subject: null, html: null, text });

describe('the variables of a template', () => {
  it.each([
    ['Hello', [], []],
    ['{{ a }} {{ b }} {{ a }}', ['a', 'b'], ['a', 'b']],
    ['{{ order.lines[0].name }} {{ order["id"] }}', ['order'], ['order']],
    ['{{ prices[order.currency] }}', ['prices', 'order'], ['prices', 'order']],
    ['{{ ["first name"].x }} {{ prénom }} {{ first-name }}', ['first name', 'prénom', 'first-name'], undefined],
    ['{{ "text" }} {{ 1 }} {{ true }} {{ nil }} {{ "a".size }}', [], []],
    ['{{ a | append: b }}', ['a', 'b'], ['a', 'b']],
    ['{% echo a %}{% cycle b, "x" %}', ['a', 'b'], ['a', 'b']],
    ['{% liquid\n echo a\n echo b\n%}', ['a', 'b'], ['a', 'b']],
    ['{% comment %}{{ a }}{% endcomment %}{% raw %}{{ b }}{% endraw %}', [], []],
    ['{{ __proto__ }} {{ constructor }} {{ toString }}', ['__proto__', 'constructor', 'toString'], undefined],
  ])('of %j are %j', (text, variables, required) => {
    expect(parse(text).variables).toEqual(variables);
    expect(parse(text).required).toEqual(required ?? variables);
  });

  it.each([
    ['the variable of a loop', '{% for line in lines %}{{ line.name }} {{ forloop.index }}{% endfor %}', ['lines']],
    ['the variable of a tablerow', '{% tablerow x in xs %}{{ x }} {{ tablerowloop.col }}{% endtablerow %}', ['xs']],
    ['an assigned variable', '{% assign a = b %}{{ a }}', ['b']],
    ['a captured variable', '{% capture a %}{{ b }}{% endcapture %}{{ a }}', ['b']],
    ['a counter', '{% increment a %}{% decrement b %}', []],
    ['the keyword continue of a loop', '{% for x in xs offset: continue limit: n %}{{ x }}{% endfor %}', ['xs', 'n']],
  ])('do not include %s', (_what, text, variables) => expect(parse(text).variables).toEqual(variables));

  it('are required after the end of a loop and before an assignment', () => {
    expect(parse('{% for a in b %}{{ a }}{% endfor %}{{ a }}').required).toEqual(['b', 'a']);
    expect(parse('{{ a }}{% assign a = 1 %}').required).toEqual(['a']);
  });

  it.each([
    ['they are used only in conditions', '{% if a %}x{% elsif b == 1 %}{% endif %}{% unless c %}{% endunless %}'],
    ['they are used only in case', '{% case a %}{% when "x" %}{% when b %}{% endcase %}'],
    ['they have a default', '{{ a | default: "x" }} {{ a | upcase | default: "y" }}{% assign t = a | default: 1 %}'],
    ['the condition of their block tests them', '{% if a.code %}Use {{ a.code }}{% else %}{{ a }}{% endif %}'],
    ['the condition of an outer block tests them', '{% if a %}{% for x in b.c %}{{ a }}{% endfor %}{% endif %}', ['b']],
  ])('are optional if %s', (_what, text, required: string[] = []) => expect(parse(text).required).toEqual(required));

  it('are required if one use is not optional', () => {
    expect(parse('{{ a | default: "x" }} {{ a }}').required).toEqual(['a']);
    expect(parse('{% if a %}{{ b }}{% endif %} {{ a }}').required).toEqual(['b', 'a']);
    expect(parse('{{ a | default: b }}').required).toEqual(['b']);
  });

  it('are collected from all parts, the subject first', () => {
    const parsed = parseEmailTemplate({ subject: 'Hi {{ name }}', html: '{{ a }}{{ name }}', text: '{{ b }}{{ a }}' });
    expect(parsed.variables).toEqual(['name', 'a', 'b']);
  });
});
