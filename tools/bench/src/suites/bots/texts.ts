/** The parts of generated texts of a bank and a shop: things, matters and phrases. */
export const THINGS: readonly (readonly [thing: string, otherWord: string])[] = [
  ['debit card', 'bank card'],
  ['savings account', 'deposit account'],
  ['standing order', 'recurring payment'],
  ['mortgage', 'home loan'],
  ['travel insurance', 'trip cover'],
  ['mobile plan', 'phone contract'],
  ['broadband router', 'internet box'],
  ['gift voucher', 'gift card'],
  ['loyalty points', 'bonus points'],
  ['parcel', 'package'],
  ['invoice', 'bill'],
  ['subscription', 'membership'],
  ['password', 'passcode'],
  ['delivery address', 'shipping address'],
  ['winter jacket', 'coat'],
  ['running shoes', 'trainers'],
  ['washing machine', 'washer'],
  ['coffee grinder', 'mill'],
  ['boarding pass', 'flight ticket'],
  ['hotel reservation', 'room booking'],
  ['rental car', 'hire car'],
  ['electricity meter', 'power meter'],
  ['gas tariff', 'gas rate'],
  ['solar panel', 'photovoltaic module'],
  ['tax certificate', 'tax statement'],
  ['family pass', 'group ticket'],
  ['gym locker', 'storage box'],
  ['library book', 'borrowed book'],
  ['prescription', 'medical order'],
  ['dental appointment', 'dentist visit'],
  ['school registration', 'enrolment'],
  ['parking permit', 'parking badge'],
  ['newsletter', 'mailing list'],
  ['user profile', 'personal page'],
  ['video call', 'online meeting'],
  ['headphones', 'earphones'],
  ['tablet screen', 'display'],
  ['office chair', 'desk chair'],
  ['garden hose', 'water hose'],
  ['birthday cake', 'celebration cake'],
];

/** Matters of a thing: the question of the FAQ, paraphrases of it, and the answer. `#` is the thing. */
export const MATTERS: readonly (readonly [question: string, others: readonly string[], answer: string])[] = [
  [
    'How do I cancel my #?',
    ['i want to stop my #', 'please call off the # for me'],
    'Open My Things, choose the # and press Cancel. It ends at once.',
  ],
  [
    'How much does a # cost?',
    ['what is the price of a #', 'tell me the fee for the #'],
    'A # is 12.90 a month, or 129 for a year.',
  ],
  [
    'Where can I find my #?',
    ['i can not locate my # anywhere', 'in which menu is the #'],
    'The # is listed under Overview, in the third tab from the left.',
  ],
  [
    'How long does it take until the # arrives?',
    ['when will i receive my #', 'the # is not here yet, how many days'],
    'Three to five working days pass between your order and the # at your door.',
  ],
  [
    'Can I change my # afterwards?',
    ['is it possible to modify the # later', 'i need to edit my #'],
    'Until midnight of the same day every detail of the # can be corrected online.',
  ],
  [
    'My # is broken, what now?',
    ['the # got damaged', 'there is a defect in my #, help'],
    'Send us two photographs of the #; a replacement leaves our house within 24 hours.',
  ],
  [
    'Who is allowed to use the #?',
    ['may my wife share the #', 'can somebody else have my #'],
    'Every adult of your household may use the # with their own signature.',
  ],
  [
    'How do I renew an expired #?',
    ['the # is out of date, prolong it', 'my # ran out last week'],
    'A # that has expired is extended by twelve months at any of our counters.',
  ],
  [
    'Is there a discount on the # for students?',
    ['do students get the # cheaper', 'any reduction of the # with a student card'],
    'Students under 27 get the # for half; bring the card of your university.',
  ],
  [
    'What happens if I lose the #?',
    ['i lost my # on the train', 'my # has been stolen'],
    'Call the hotline day or night: the # is blocked immediately and reissued for free.',
  ],
  [
    'Do you refund the # when I am not satisfied?',
    ['i want my money back for the #', 'can the # be reimbursed'],
    'Within thirty days the # is taken back and you are paid by the same way.',
  ],
  [
    'Can I transfer the # to another person?',
    ['give my # to a friend', 'hand the # over to my brother'],
    'A # can be passed on once; both of you sign form C4 for that.',
  ],
  [
    'Which documents do I need for the #?',
    ['what papers are required to get a #', 'do you want my passport for the #'],
    'For a # an identity card and a proof of address that is newer than three months suffice.',
  ],
  [
    'How do I upgrade my #?',
    ['i would like a better #', 'switch to the premium #'],
    'Choose Premium beside your #. The difference is charged day by day.',
  ],
  [
    'Is the # available abroad?',
    ['does the # work in foreign countries', 'can i take my # to spain'],
    'In all countries of the Union the # works as it does at home, elsewhere with a surcharge.',
  ],
  [
    'Why was my # rejected?',
    ['you refused my #, what is the reason', 'the # did not go through'],
    'Mostly a signature is missing. The letter about the # names the reason on its second page.',
  ],
  [
    'How do I register a new #?',
    ['sign up a #', 'activate my fresh #'],
    'Scan the code on the back of the # with our application and follow its four steps.',
  ],
  [
    'What is the maximum number of # per customer?',
    ['how many # may i have', 'is there an upper limit of #'],
    'Nobody may hold more than five of these at the same time, the # included.',
  ],
  [
    'Do I get a confirmation of my #?',
    ['send me a receipt for the #', 'i have no mail about the # yet'],
    'A confirmation of the # is mailed within ten minutes; look into the spam folder too.',
  ],
  [
    'Can I pay for the # in instalments?',
    ['split the price of the #', 'monthly rates for the #'],
    'From 100 upwards the # may be paid in three, six or twelve rates without interest.',
  ],
  [
    'How do I clean the # properly?',
    ['the # is dirty', 'care instructions for the #'],
    'Wipe the # with a damp cloth; never use alcohol or a brush of metal.',
  ],
  [
    'Is the # suitable for children?',
    ['can kids use the #', 'from which age is the #'],
    'From the age of six the # is fine as long as an adult is nearby.',
  ],
  [
    'How do you protect my data in connection with the #?',
    ['privacy of the #', 'who sees what i store with the #'],
    'Everything about the # is encrypted and deleted two years after it ended.',
  ],
  [
    'When does the warranty of the # end?',
    ['guarantee period of the #', 'is my # still covered'],
    'Two years after delivery, and for the # three when it was registered online.',
  ],
  [
    'Can I reserve a # in advance?',
    ['book the # for next week', 'put a # aside for me'],
    'Up to eight weeks ahead a # is kept for you; we ask for ten percent at once.',
  ],
];

export const UNANSWERABLE: readonly string[] = [
  'what is the capital of mongolia',
  'write me a poem about autumn leaves',
  'who won the chess championship in 1972',
  'does your director like jazz',
  'qwertz asdf yxcv',
  'how tall is the eiffel tower in feet',
  'translate good morning into finnish please',
  'should i marry my boyfriend',
  'why is the sky blue and the sunset red',
  'can horses sleep while they stand',
  'recommend a novel by a russian author',
  'solve 17 x + 4 = 89 for x',
];

export const SMALL_TALK: readonly string[] = ['hello', 'thanks a lot', 'good morning', 'ok', 'bye', 'who are you?'];

/** Sentences of articles. `#` is a thing, `@` a place, `$` a person, `%` a number. */
export const SENTENCES: readonly string[] = [
  'The # was introduced in 19% after long talks between $ and the council of @.',
  'Before each use, the seal of the # has to be compared with the sample that hangs in @.',
  'Our colleagues in @ repair about % of them every week, most within an afternoon.',
  'Customers who own a # for more than % months are invited to the yearly gathering in @.',
  'If the lamp beside the # blinks % times, the filter should be rinsed under cold water.',
  'In the spring issue $ describes how the # changed the habits of people around @.',
  'Store it upright, away from sunlight, and never below % degrees.',
  'A committee led by $ examines every complaint and reports to the branch in @.',
  'Shipping to @ costs % more, because the ferry runs only twice a week.',
  'The second chapter explains the % steps by which a # is assembled and tested.',
  '$ recommends keeping the packaging, since the # travels best in its own box.',
  'Whoever lives near @ may collect the # personally between % and 18 o’clock.',
  'The figures of last quarter show that % out of 100 households in @ have tried one.',
  'When two lines of the display disagree, the lower one is right, says $.',
  'For hearing-impaired visitors the counter in @ has an induction loop and % printed guides.',
  'An older # can be exchanged at a reduced price if its number begins with %.',
  'The contract is governed by the law of @, where $ founded the company.',
  'Batteries last for roughly % days; cold mornings shorten that considerably.',
  'Please note that the # is not covered while it is being carried on a bicycle.',
  'Every % weeks the software checks for updates and installs them at night.',
  'In @ a pilot with % families is under way whose results $ will publish in autumn.',
  'Scratches of less than % millimetres do not count as damage.',
  'To avoid queues, $ suggests visiting the office in @ on a Wednesday.',
  'The colour of the # may differ slightly, as wool is dyed in batches of % kilograms.',
];

export const PLACES =
  'Aberdeen Bergen Cádiz Dresden Esbjerg Faro Graz Haarlem Izmir Jena Kraków Lugano Malmö Namur Odense Porto Quimper Rostock Siena Tartu Uppsala Verona Westport Ypres Zadar'.split(
    ' ',
  );
export const PEOPLE =
  'Adler Brandt Costa Dumas Eriksen Fontaine Gruber Hansen Ivanova Jansen Kowalski Lindqvist Moreau Novak Okafor Pereira Quist Rossi Silva Tanaka Urban Vega Weber Yilmaz Zeller'.split(
    ' ',
  );
export const ADJECTIVES =
  'Annotated Basic Compact Detailed Essential Foldable Gentle Handy Improved Joint Known Light Modern Neat Official Practical Quick Regional Seasonal Thorough Useful Visual Warm Yearly Zonal'.split(
    ' ',
  );
