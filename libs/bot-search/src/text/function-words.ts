/**
 * How much a word says about what is asked. `filler`: greetings and politeness; `stop`: articles and the like; `ask`:
 * question words; `light`: words that go with any subject; `not`: negations; `content`: all others.
 */
export type WordClass = 'content' | 'light' | 'ask' | 'not' | 'stop' | 'filler';

type Lists = Readonly<Record<Exclude<WordClass, 'content'>, string>>;

/** Folded words by language; articles are known to the stemmers too, and listed where they have no such list. */
const WORDS: Readonly<Record<string, Lists>> = {
  en: {
    filler: `hi hello hey hiya dear sir madam mam maam please pls plz thanks thank thankyou thx ty ok okay yes yeah yep
      sorry excuse good kindly bro team guys bye goodbye cheers lol hmm um uh btw great cool nice awesome urgent asap
      morning afternoon evening`,
    ask: 'how what when where who which why whose whom much many long often far',
    not: 'not never without cannot nothing none',
    light: `want wanna need like get got getting have has had having know tell help make do does did doing done go going
      can could would should may might will let give use using way possible able try trying question questions problem
      issue wonder wondering looking look find see say said says today yesterday tomorrow now just really actually
      still already also even ever again one thing things something anything someone anyone somebody bit lot time day
      days take takes come put happen happens think guess explain information info details u ur r im ive id idk
      gonna gotta there here any some been being else exactly maybe show mean works work next last week month process procedure steps enquiry inquiry query
      option options method regarding related please kind type proper correct correctly want wants needed require required
      hear heard told trouble support assist assistance facing having getting able new current anymore longer until till
      since really wish different another other others same both most more less while during because`,
    stop: `a an the to of in on at for from with by and or if is are was were be am it its this that these those i you
      he she they we me my mine your yours our their his her them us as so but than then i'm about into up down out`,
  },
  de: {
    filler: `hallo hi hey guten gute tag morgen abend moin servus liebe lieber liebes danke dankeschon bitte vielen dank
      ok okay ja nein entschuldigung sorry tschuss team super prima`,
    ask: `wie was wann wo wer wem wen welche welcher welches welchen warum wieso weshalb wohin woher wofur viel viele
      lange oft weit womit`,
    not: 'nicht kein keine keinen keiner keinem nie niemals ohne nichts',
    light: `kann konnen konnte konnt mochte will wollen wurde musste muss mussen soll sollte habe hab haben hat hatte gibt
      geben geht gehen macht machen mache tun wissen weiss sagen sagt brauche brauchen bekomme bekommen bekommt helfen
      hilfe frage fragen problem moglich gerne gern heute gestern jetzt nur schon noch mal auch immer wieder finde finden
      etwas jemand tag tage sehen kriege kriegen lassen lasse nutzen eigentlich denn halt dann leider passiert konnten habt bieten bietet haben total gerade endlich`,
    stop: `der die das den dem des ein eine einen einem einer eines und oder ich du er sie es wir ihr mich mir dich dir
      sich mein meine meinen meinem meiner dein deine ihre ihren unser unsere zu zum zur in im an am auf aus bei mit von
      vom fur um ist sind war bin wird werden man da so als wenn dass ob nach uber`,
  },
  fr: {
    filler: `bonjour bonsoir salut merci svp sil vous plait stp coucou ok oui non madame monsieur cordialement pardon
      excusez desole super allo hello`,
    ask: `comment quoi que quel quelle quels quelles quand ou qui pourquoi combien est-ce lequel laquelle`,
    not: 'ne pas jamais sans rien aucun aucune plus',
    light: `peux peut pouvez puis puisje pouvoir veux veut voudrais voulez vouloir faire fais fait faut dois doit avoir
      ai as a avez ont avons savoir sais dire dites aide aider besoin probleme question possible aimerais souhaite
      souhaiterais trouver obtenir donner mettre aller vais va aujourdhui hier demain maintenant encore deja aussi
      toujours chose cas jour jours temps passe existe combien`,
    stop: `le la les un une des du de d l au aux et ou je tu il elle on nous vous ils elles me m te se s mon ma mes ton ta
      tes son sa ses notre nos votre vos leur leurs ce cet cette ces c ca en y dans sur pour par avec est suis sont etre
      etait si qu j t n moi toi lui a`,
  },
  es: {
    filler: `hola buenas buenos dias tardes noches gracias por favor porfa vale ok si perdon disculpe disculpa saludos
      senor senora adios estimados`,
    ask: `como que cual cuales cuando donde quien quienes cuanto cuanta cuantos cuantas adonde`,
    not: 'no nunca sin nada ningun ninguna jamas',
    light: `puedo puede pueden podria podrian poder quiero quiere quisiera querria tengo tiene tienen tener hay hacer hago
      hace debo deben necesito necesita saber se decir dime digame ayuda ayudar problema pregunta duda posible gustaria
      encontrar obtener dar poner ir voy va hoy ayer manana ahora todavia aun ya tambien siempre cosa caso dia tiempo
      pasa ocurre existe sirve hacen haria`,
    stop: `el la los las un una unos unas de del al a y o u yo tu usted ella nosotros me te se lo le les mi mis tus su
      sus nuestro nuestra este esta estos estas eso esto en con para por es son soy esta estan estoy ser estar si mas
      muy he ha han`,
  },
  pt: {
    filler: `ola oi bom boa dia tarde noite obrigado obrigada por favor ok sim desculpe desculpa tchau`,
    ask: `como que qual quais quando onde quem quanto quanta quantos quantas porque`,
    not: 'nao nunca sem nada nenhum nenhuma jamais',
    light: `posso pode podem poderia quero quer queria gostaria tenho tem ter ha fazer faco faz preciso precisa saber
      dizer ajuda ajudar problema pergunta duvida possivel encontrar obter dar hoje ontem amanha agora ainda ja tambem
      sempre coisa caso dias tempo acontece existe consigo conseguir`,
    stop: `o a os as um uma de do da dos das no na nos nas ao aos e ou eu tu ele ela nos voce voces me te se lhe meu
      minha meus minhas seu sua este esta isso isto em com para por e sao sou esta estao estou ser estar mais muito`,
  },
  it: {
    filler: `ciao buongiorno buonasera salve grazie prego per favore ok si scusi scusa arrivederci`,
    ask: `come che cosa quale quali quando dove chi perche quanto quanta quanti quante`,
    not: 'non mai senza nulla niente nessun nessuno nessuna',
    light: `posso puo possono potrei potrebbe voglio vuole vorrei ho ha hanno avere c'e fare faccio fa devo deve bisogno
      sapere dire aiuto aiutare problema domanda possibile trovare ottenere dare oggi ieri domani adesso ancora gia
      anche sempre giorno giorni tempo succede esiste`,
    stop: `il lo la i gli le un uno una di del della dei delle al alla ai e o io tu lui lei noi voi mi ti si ci vi mio
      mia miei mie suo sua questo questa in con per da su nel nella sono sei essere piu molto`,
  },
  nl: {
    filler: `hallo hoi hey goedemorgen goedemiddag goedenavond dag bedankt dank alsjeblieft alstublieft ok ja nee sorry`,
    ask: 'hoe wat wanneer waar wie welke welk waarom hoeveel lang vaak',
    not: 'niet geen nooit zonder niets',
    light: `kan kunnen kun wil willen zou moet moeten heb hebben heeft hebt krijg krijgen doe doen ga gaan weten weet
      zeggen hulp helpen probleem vraag mogelijk graag vandaag gisteren morgen nu nog al ook altijd iets vinden nodig
      dag dagen tijd gebeurt`,
    stop: `de het een en of ik jij je u hij zij ze wij we mij me mijn jouw uw zijn haar onze ons dit dat deze die in op
      aan bij met van voor om te is ben zijn was er naar uit over als dan`,
  },
  hi: {
    filler: `नमस्ते नमस्कार हैलो हेलो धन्यवाद शुक्रिया कृपया जी हां हाँ नहि ठीक सर मैडम भाई प्लीज hi hello please pls
      namaste dhanyavaad dhanyawad shukriya`,
    ask: `कैसे क्या कब कहां कौन कौनसा कौनसी कौनसे क्यों कितना कितनी कितने किस किसे किसको kaise kya kab kahan kaun
      kyun kitna kitne kitni`,
    not: 'नहीं नही मत बिना न बगैर nahi nahin mat bina',
    light: `चाहिए चाहता चाहती चाहते करना करें करूं करू करे करता करती करते कर करने किया की गया गई गए सकता सकती सकते सके
      होता होती होते हो होगा होगी होगे है हूं हैं था थी थे बताएं बताइए बताओ बता पता मदद समस्या सवाल मिल मिलता मिलती
      मिलेगा मिलेगी मिले दे देना लेना लूं ले लेने जाना जा जाता जाए आज कल अब अभी फिर भी दिन समय रहा रही रहे जानना
      बारे लगता लगती लगते लगेगा karna kare karen karu chahiye hota hai ho raha rahi batao`,
    stop: `का के को में से पर और या तो ही भी यह ये वह वो इस उस इन उन मैं मैने मेरा मेरी मेरे मुझे मुझको हम हमारा हमें आप
      आपका आपकी आपके अपना अपनी अपने ने तक लिए साथ एक कोई कुछ जो कि ka ke ko mein me se par aur ya mera meri mere
      mujhe main aap apna apni apne ne tak liye ek koi`,
  },
  ru: {
    filler: 'привет здравствуйте добрый день утро вечер спасибо пожалуиста ок да извините',
    ask: 'как что когда где кто какои какая какие какое почему сколько куда откуда чеи',
    not: 'не нет никогда без ничего',
    light: `могу можно может хочу хотел хотелось нужно надо должен есть иметь сделать делать знать сказать подскажите
      помогите помощь проблема вопрос возможно наити получить дать сегодня вчера сеичас еще уже также всегда день дни
      время`,
    stop: 'и в на с по к о об от до из у за для при я мне меня мои моя мое мои вы ваш это то а но ли',
  },
  pl: {
    filler: 'czesc hej witam dzien dobry dziekuje dzieki prosze pozdrawiam przepraszam ok tak pan pani',
    ask: 'jak co kiedy gdzie kto ktory ktora ktore jaki jaka jakie dlaczego ile czy dokad skad',
    not: 'nie nigdy bez nic',
    light: `moge mozna moze chce chcialbym chcialabym musze trzeba mam ma miec jest zrobic robic wiedziec powiedziec pomoc
      problem pytanie mozliwe znalezc dostac dac dzis dzisiaj wczoraj jutro teraz jeszcze juz tez zawsze dni czas`,
    stop: 'i a w na z o do od po u za dla przy ja mnie mi moj moja moje wy pan wasz to ten ta te sie sa byc lub albo ale ze',
  },
  tr: {
    filler: 'merhaba selam tesekkurler tesekkur ederim lutfen sagol tamam evet iyi gunler kolay gelsin',
    ask: 'nasil ne zaman nerede kim hangi neden nicin kac nereden nereye mi mi mu mu',
    not: 'degil yok hic hayir olmadan',
    light: `istiyorum isterim olur olabilir var yapabilirim yapmak yapilir edebilirim etmek gerek gerekiyor lazim bilmek
      soylemek yardim sorun soru mumkun bulmak almak vermek bugun dun yarin simdi daha da de her gun`,
    stop: 've veya ile icin bir bu su o ben sen biz siz benim bana beni sizin ama ki gibi',
  },
  ar: {
    filler: 'مرحبا السلام عليكم شكرا اهلا من فضلك نعم صباح الخير مساء لو سمحت',
    ask: 'كيف ماذا ما متى اين من اي لماذا كم هل',
    not: 'لا ليس لم لن بدون',
    light: 'اريد يمكن يمكنني ممكن عندي لدي احتاج اعرف مساعده مشكله سؤال اليوم امس غدا الان ايضا دائما يوم وقت اقوم',
    stop: 'في على الى عن مع و او ان انا نحن هو هي هذا هذه ذلك التي الذي لي',
  },
  id: {
    filler: 'halo hai terima kasih tolong mohon permisi selamat pagi siang malam ya oke',
    ask: 'bagaimana apa apakah kapan dimana mana siapa mengapa kenapa berapa cara',
    not: 'tidak bukan jangan tanpa belum',
    light:
      'bisa dapat ingin mau harus perlu ada punya tahu bantuan bantu masalah pertanyaan mungkin hari ini kemarin besok',
    stop: 'dan atau di ke dari untuk dengan yang saya aku kami kita anda itu ini adalah pada',
  },
  sv: {
    filler: 'hej hejsan tack snalla ok ja god morgon kvall ursakta',
    ask: 'hur vad nar var vem vilken vilket vilka varfor lange mycket manga',
    not: 'inte ingen inget inga aldrig utan',
    light: `kan kunde vill skulle maste far fa har ha finns gor gora veta saga hjalp hjalpa problem fraga mojligt hitta ge
      idag igar nu redan ocksa alltid dag dagar tid behover`,
    stop: 'en ett den det de och eller i pa till fran med for av om jag du han hon vi ni mig min mitt mina er ar att som',
  },
  ko: {
    filler: '안녕하세요 안녕 감사합니다 고맙습니다 네 죄송합니다 저기요',
    ask: '어떻게 무엇 뭐 언제 어디 어디서 누구 왜 얼마 얼마나 몇 어떤 어느',
    not: '안 못 없이 아니',
    light:
      '하나요 싶어요 싶습니다 있나요 있어요 할 수 하고 해야 되나요 돼요 알려주세요 방법 주세요 도와주세요 문제 질문 오늘 지금',
    stop: '이 그 저 제 내 저는 나는 및 또는 그리고',
  },
  ja: {
    filler: 'こんにちは こんばんは ありがとう ありがとうござい すみません お願い ください はい いいえ どうも 失礼',
    ask: 'どう どこ いつ 何 なに なん 誰 だれ なぜ いくら どの どれ どちら 方法 やり方',
    not: 'ない なく ません ず',
    light: `する した いい でき できる 知り たい 教え 欲しい ほしい 場合 こと もの 今日 明日 昨日 今 私 ある あり いる なる
      思い 困っ 何か しまし`,
    stop: 'の に は を が で と も へ や か から まで より です ます た て だ ご お',
  },
  zh: {
    filler: '你好 您好 谢谢 请 请问 好的 是的 麻烦 再见',
    ask: '怎么 如何 什么 哪里 哪儿 什么时候 谁 为什么 多少 几 怎样 哪个 多久',
    not: '不 没 没有 无法 别',
    light: '可以 能 想 要 需要 有 知道 告诉 帮助 问题 今天 昨天 现在 会 应该 办 做 时候 可能 找',
    stop: '的 了 吗 呢 我 你 您 他 她 它 我们 你们 是 在 和 或 这 那 把 被 给 到 从 就 也 都 吧 啊 个',
  },
};

/** Languages that write their small words in this script alone, and short. */
const SMALL_KANA = /^\p{Script=Hiragana}{1,2}$/u;
const classes = new Map<string, ReadonlyMap<string, WordClass>>();

/** The class of a folded word in a language; undefined where only the stemmer can tell whether it says anything. */
export function classOf(bare: string, code: string): WordClass | undefined {
  return listed(code).get(bare) ?? (code === 'ja' && SMALL_KANA.test(bare) ? 'stop' : undefined);
}

/** All words of a language that say little, folded. */
export function functionWords(code: string): Iterable<string> {
  return listed(code).keys();
}

function listed(code: string): ReadonlyMap<string, WordClass> {
  let of = classes.get(code);
  if (!of) {
    const lists = Object.hasOwn(WORDS, code) ? WORDS[code] : undefined;
    const map = new Map<string, WordClass>();
    for (const [name, words] of Object.entries(lists ?? {})) {
      for (const word of words.split(/\s+/)) if (!map.has(word)) map.set(word, name as WordClass);
    }
    of = map;
    // Locales are data of owners: what is not listed is not kept.
    if (lists) classes.set(code, of);
  }
  return of;
}
