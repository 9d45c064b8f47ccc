import type { LanguageWords } from './language-words';

export const hi: LanguageWords = {
  classes: {
    filler: `नमस्ते नमस्कार प्रणाम हैलो हेलो हलो हाय हाई धन्यवाद शुक्रिया थैंक्स थैंक्यू थैंक यू आभार कृपया कृप्या
        मेहरबानी जी हां हा जीहां ओके सर सरजी मैडम मैम महोदय महोदया भाई भैया भइया भाईसाहब यार दीदी अंकल आंटी प्लीज
        सॉरी माफ माफी क्षमा अरे सुनिए सुनो अरजेंट अर्जेंट शुभ प्रभात सुप्रभात राम राधे जय श्री गुड मॉर्निंग इवनिंग
        बाय अलविदा hi hii hiii hello helo hey hlo hy hlw namaste namaskar namaskaar pranam dhanyavaad dhanyawad
        dhanyavad dhanywad shukriya thanks thank thankyou thanku thx thnx tnx ty thanx please pls plz plzz plss pliz
        kripya krupya ji jee haan han haa ha ok okay okk sir sirji mam maam madam mem bhai bhaiya bhaiyya bro yaar
        yar didi uncle aunty sorry maaf maafi arey are suno suniye sun good morning evening afternoon dear hmm lol
        na naa bye urgent asap kindly yes yep`,
    ask: `कैसे कैसा कैसी क्या कब कभी कहां किधर कौन कौनसा कौनसी कौनसे क्यों क्यूं क्यो कितना कितनी कितने किस किसे किसको
        किसका किसकी किसके किससे किन किनको किनका किसने कबसे कबतक कितनों काहे वगैरह kaise kese kaisa kaisi kaisey kase
        kya kia kyaa kab kabhi kahan kaha kahaan kidhar kon kaun kaunsa kaunsi kaunse konsa konsi konse kyun kyu
        kyon kyo kitna kitne kitni kitnaa kis kise kisko kiska kiski kiske kisse kin how what when where who which
        why whom whose much many long often`,
    not: `नहीं नही नहि नई नइ मत बिना बगैर न ना nahi nahin nhi nai nahee nhin mat bina bgair bagair not without never
        cannot cant dont wont doesnt didnt isnt none`,
    light: `कर करना करने करनी करता करती करते करूं करू करूंगा करूंगी करे करें करो करेगा करेगी करेंगे करोगे करा करी करकर
        करके करिए करिये करवा करवाना करवाने करवानी करवाता करवाती करवाते करवाऊं करवाऊंगा करवाऊंगी करवाए करवाएं करवाओ
        करवाएगा करवाएगी करवाएंगे करवायेगा करवायेगी करवाया करवाई करवाकर करवाके करवाइए करवाइये कराना कराने करानी कराता
        कराती कराते कराऊं कराऊंगा कराऊंगी कराए कराएं कराओ कराएगा कराएगी कराएंगे करायेगा करायेगी कराया कराई कराकर
        कराके कराइए कराइये सक सकना सकने सकनी सकता सकती सकते सकूं सकू सकूंगा सकूंगी सके सकें सको सकेगा सकेगी सकेंगे
        सकोगे सका सकी सककर सकके सकिए सकिये चाह चाहना चाहने चाहनी चाहता चाहती चाहते चाहूं चाहू चाहूंगा चाहूंगी चाहे
        चाहें चाहो चाहेगा चाहेगी चाहेंगे चाहोगे चाहा चाही चाहकर चाहके चाहिए चाहिये मिल मिलना मिलने मिलनी मिलता मिलती
        मिलते मिलूं मिलू मिलूंगा मिलूंगी मिले मिलें मिलो मिलेगा मिलेगी मिलेंगे मिलोगे मिला मिली मिलकर मिलके मिलिए
        मिलिये लग लगना लगने लगनी लगता लगती लगते लगूं लगू लगूंगा लगूंगी लगे लगें लगो लगेगा लगेगी लगेंगे लगोगे लगा लगी
        लगकर लगके लगिए लगिये रह रहना रहने रहनी रहता रहती रहते रहूं रहू रहूंगा रहूंगी रहे रहें रहो रहेगा रहेगी रहेंगे
        रहोगे रहा रही रहकर रहके रहिए रहिये बता बताना बताने बतानी बताता बताती बताते बताऊं बताऊंगा बताऊंगी बताए बताएं
        बताओ बताएगा बताएगी बताएंगे बतायेगा बतायेगी बताया बताई बताकर बताके बताइए बताइये पा पाना पाने पाता पाती पाऊं
        पाऊंगा पाऊंगी पाए पाएं पाओ पाएगा पाएगी पाएंगे पायेगा पायेगी पाया पाई पाकर पाके पाइए पाइये जान जानना जानने
        जाननी जानता जानती जानते जानूं जानू जानूंगा जानूंगी जाने जानें जानो जानेगा जानेगी जानेंगे जानोगे जाना जानी
        जानकर जानके जानिए जानिये पूछ पूछना पूछने पूछनी पूछता पूछती पूछते पूछूं पूछू पूछूंगा पूछूंगी पूछे पूछें पूछो
        पूछेगा पूछेगी पूछेंगे पूछोगे पूछा पूछी पूछकर पूछके पूछिए पूछिये समझ समझना समझने समझनी समझता समझती समझते
        समझूं समझू समझूंगा समझूंगी समझे समझें समझो समझेगा समझेगी समझेंगे समझोगे समझा समझी समझकर समझके समझिए समझिये
        पड पडना पडने पडनी पडता पडती पडते पडूं पडू पडूंगा पडूंगी पडे पडें पडो पडेगा पडेगी पडेंगे पडोगे पडा पडी पडकर
        पडके पडिए पडिये बोल बोलना बोलने बोलनी बोलता बोलती बोलते बोलूं बोलू बोलूंगा बोलूंगी बोले बोलें बोलो बोलेगा
        बोलेगी बोलेंगे बोलोगे बोला बोली बोलकर बोलके बोलिए बोलिये कह कहना कहने कहनी कहता कहती कहते कहूं कहू कहूंगा
        कहूंगी कहे कहें कहो कहेगा कहेगी कहेंगे कहोगे कहा कही कहकर कहके कहिए कहिये देख देखना देखने देखनी देखता देखती
        देखते देखूं देखू देखूंगा देखूंगी देखे देखें देखो देखेगा देखेगी देखेंगे देखोगे देखा देखी देखकर देखके देखिए
        देखिये सोच सोचना सोचने सोचनी सोचता सोचती सोचते सोचूं सोचू सोचूंगा सोचूंगी सोचे सोचें सोचो सोचेगा सोचेगी
        सोचेंगे सोचोगे सोचा सोची सोचकर सोचके सोचिए सोचिये रख रखना रखने रखनी रखता रखती रखते रखूं रखू रखूंगा रखूंगी
        रखे रखें रखो रखेगा रखेगी रखेंगे रखोगे रखा रखी रखकर रखके रखिए रखिये चल चलना चलने चलनी चलता चलती चलते चलूं
        चलूंगा चलूंगी चले चलें चलो चलेगा चलेगी चलेंगे चलोगे चला चली चलकर चलके चलिए चलिये आ आना आने आनी आता आती आते
        आऊं आऊंगा आऊंगी आए आएं आओ आएगा आएगी आएंगे आयेगा आयेगी आया आई आकर आके आइए आइये जा जाता जाती जाते जाऊं जाऊंगा
        जाऊंगी जाए जाएं जाओ जाएगा जाएगी जाएंगे जायेगा जायेगी जाया जाई जाकर जाके जाइए जाइये डाल डालना डालने डालनी
        डालता डालती डालते डालूं डालू डालूंगा डालूंगी डाले डालें डालो डालेगा डालेगी डालेंगे डालोगे डाला डाली डालकर
        डालके डालिए डालिये निकल निकलना निकलने निकलनी निकलता निकलती निकलते निकलूं निकलू निकलूंगा निकलूंगी निकले
        निकलें निकलो निकलेगा निकलेगी निकलेंगे निकलोगे निकला निकली निकलकर निकलके निकलिए निकलिये निकाल निकालना निकालने
        निकालनी निकालता निकालती निकालते निकालूं निकालू निकालूंगा निकालूंगी निकाले निकालें निकालो निकालेगा निकालेगी
        निकालेंगे निकालोगे निकाला निकाली निकालकर निकालके निकालिए निकालिये दिखा दिखाना दिखाने दिखानी दिखाता दिखाती
        दिखाते दिखाऊं दिखाऊंगा दिखाऊंगी दिखाए दिखाएं दिखाओ दिखाएगा दिखाएगी दिखाएंगे दिखायेगा दिखायेगी दिखाया दिखाई
        दिखाकर दिखाके दिखाइए दिखाइये दिख दिखना दिखने दिखनी दिखता दिखती दिखते दिखूं दिखू दिखूंगा दिखूंगी दिखे दिखें
        दिखो दिखेगा दिखेगी दिखेंगे दिखोगे दिखी दिखकर दिखके दिखिए दिखिये ढूंढ ढूंढना ढूंढने ढूंढनी ढूंढता ढूंढती
        ढूंढते ढूंढूं ढूंढू ढूंढूंगा ढूंढूंगी ढूंढे ढूंढें ढूंढो ढूंढेगा ढूंढेगी ढूंढेंगे ढूंढोगे ढूंढा ढूंढी ढूंढकर
        ढूंढके ढूंढिए ढूंढिये बन बनना बनने बननी बनता बनती बनते बनूं बनू बनूंगा बनूंगी बने बनें बनो बनेगा बनेगी
        बनेंगे बनोगे बना बनी बनकर बनके बनिए बनिये बनाना बनाने बनानी बनाता बनाती बनाते बनाऊं बनाऊंगा बनाऊंगी बनाए
        बनाएं बनाओ बनाएगा बनाएगी बनाएंगे बनायेगा बनायेगी बनाया बनाई बनाकर बनाके बनाइए बनाइये मिलाना मिलाने मिलानी
        मिलाता मिलाती मिलाते मिलाऊं मिलाऊंगा मिलाऊंगी मिलाए मिलाएं मिलाओ मिलाएगा मिलाएगी मिलाएंगे मिलायेगा मिलायेगी
        मिलाया मिलाई मिलाके मिलाइए मिलाइये दिला दिलाना दिलाने दिलानी दिलाता दिलाती दिलाते दिलाऊं दिलाऊंगा दिलाऊंगी
        दिलाए दिलाएं दिलाओ दिलाएगा दिलाएगी दिलाएंगे दिलायेगा दिलायेगी दिलाया दिलाई दिलाकर दिलाके दिलाइए दिलाइये
        दिलवा दिलवाना दिलवाने दिलवानी दिलवाता दिलवाती दिलवाते दिलवाऊं दिलवाऊंगा दिलवाऊंगी दिलवाए दिलवाएं दिलवाओ
        दिलवाएगा दिलवाएगी दिलवाएंगे दिलवायेगा दिलवायेगी दिलवाया दिलवाई दिलवाकर दिलवाके दिलवाइए दिलवाइये चाहिएं किया
        किये किए की कीजिए कीजिये हो होना होने होनी होता होती होते होगा होगी होगे होंगे होंगी हुआ हुई हुए हुये है हैं
        हूं था थी थे गया गई गयी गए गये दे दें देना देने देनी देता देती देते दो देंगे देगा देगी दूं दीजिए दीजिये दिया
        दी दिए ले लें लेना लेने लेनी लेता लेती लेते लो लेंगे लेगा लेगी लूं लूंगा लीजिए लिया ली लिये बताये बतादो बतला
        आयी आये जाये पता पते मालूम मदद हेल्प सहायता सहयोग समस्या दिक्कत परेशानी प्रॉब्लम प्रोब्लम परेशान मुश्किल
        मुद्दा इश्यू सवाल प्रश्न क्वेश्चन पूछताछ इंक्वायरी जानकारी जानकारियां डिटेल डिटेल्स विवरण बारे तरीका तरीके
        तरह प्रकार प्रक्रिया प्रोसेस प्रॉसेस विधि उपाय स्टेप स्टेप्स चरण ऑप्शन विकल्प आज कल परसों अब अभी फिर फिलहाल
        तुरंत तुरन्त फौरन फटाफट जल्दी जल्द शीघ्र दिन दिनों समय टाइम वक्त बार दफा पहले पहली पहला बाद बादमें आगे पीछे
        हमेशा अक्सर आमतौर आमतौरपर शायद जरूर जरूरी जरूरत आवश्यक आवश्यकता सिर्फ केवल बिल्कुल बिलकुल सच सही गलती वास्तव
        लगभग करीब ज्यादा अधिक बहुत काफी थोडा थोडी थोडे कम सब सभी सारा सारे सारी पूरा पूरी पूरे हर प्रत्येक दूसरा
        दूसरी दूसरे अन्य अलग वैसे ऐसे ऐसा ऐसी वैसा जैसे जैसा जैसी चीज चीजें चीजों बात बातें कहीं किसी किन्हीं कोई
        कुछ कुछभी यहां वहां इधर उधर पास आसपास तरफ ओर जगह लोग लोगों व्यक्ति इंसान आदमी अच्छा अच्छी अच्छे बेहतर बेस्ट
        सबसे संभव मुमकिन पॉसिबल उपयोग इस्तेमाल यूज कारण वजह मतलब नया नयी नए नये न्यू अंदर बाहर दौरान अनुसार हिसाब
        संबंधित संबंध रिलेटेड कोशिश प्रयास ट्राई काम हाल अपनाना आसान आसानी सीधे वाकई तब जब तभी जबकि वरना एवं ताकि
        इसलिए क्योंकि साइड kar karna karne karni karta karti karte karu karun karunga karungi kare karen karein karo
        karoge karega karegi karenge kara kari karke karkar kariye karwa karwana karwane karwani karwata karwati
        karwate karwau karwaun karwaunga karwaye karwaen karwao karwaoge karwaega karwaegi karwaenge karwayega
        karwayegi karwaya karwayi karwake karwakar karwaiye karva karvana karvane karvani karvata karvati karvate
        karvau karvaun karvaunga karvaye karvaen karvao karvaoge karvaega karvaegi karvaenge karvayega karvayegi
        karvaya karvayi karvake karvakar karvaiye karana karane karani karata karati karate karau karaun karaunga
        karaye karaen karao karaoge karaega karaegi karaenge karayega karayegi karaya karayi karake karakar karaiye
        sak sakna sakne sakni sakta sakti sakte saku sakun sakunga sakungi sake saken sakein sako sakoge sakega
        sakegi sakenge saka saki sakke sakkar sakiye chah chahna chahne chahni chahta chahti chahte chahu chahun
        chahunga chahungi chahe chahen chahein chaho chahoge chahega chahegi chahenge chaha chahi chahke chahkar
        chahiye chaah chaahna chaahne chaahni chaahta chaahti chaahte chaahu chaahun chaahunga chaahungi chaahe
        chaahen chaahein chaaho chaahoge chaahega chaahegi chaahenge chaaha chaahi chaahke chaahkar chaahiye mil
        milna milne milni milta milti milte milu milun milunga milungi mile milen milein milo miloge milega milegi
        milenge mila mili milke milkar miliye lag lagna lagne lagni lagta lagti lagte lagu lagun lagunga lagungi
        lage lagen lagein lago lagoge lagega lagegi lagenge laga lagi lagke lagkar lagiye reh rehna rehne rehni
        rehta rehti rehte rehu rehun rehunga rehungi rehe rehen rehein reho rehoge rehega rehegi rehenge reha rehi
        rehke rehkar rehiye rah rahna rahne rahni rahta rahti rahte rahu rahun rahunga rahungi rahe rahen rahein
        raho rahoge rahega rahegi rahenge raha rahi rahke rahkar rahiye bata batana batane batani batata batati
        batate batau bataun bataunga bataye bataen batao bataoge bataega bataegi bataenge batayega batayegi bataya
        batayi batake batakar bataiye pa pana pane pata pate pau paun paunga paye paen pao paoge paega paegi paenge
        payega payegi paya payi pake pakar paiye jaan jaanna jaanne jaanni jaanta jaanti jaante jaanu jaanun
        jaanunga jaanungi jaane jaanen jaanein jaano jaanoge jaanega jaanegi jaanenge jaana jaani jaanke jaankar
        jaaniye pooch poochna poochne poochni poochta poochti poochte poochu poochun poochunga poochungi pooche
        poochen poochein poocho poochoge poochega poochegi poochenge poocha poochi poochke poochkar poochiye puch
        puchna puchne puchni puchta puchti puchte puchu puchun puchunga puchungi puche puchen puchein pucho puchoge
        puchega puchegi puchenge pucha puchi puchke puchkar puchiye samajh samajhna samajhne samajhni samajhta
        samajhti samajhte samajhu samajhun samajhunga samajhungi samajhe samajhen samajhein samajho samajhoge
        samajhega samajhegi samajhenge samajha samajhi samajhke samajhkar samajhiye pad padna padne padni padta
        padti padte padu padun padunga padungi pade paden padein pado padoge padega padegi padenge pada padi padke
        padkar padiye bol bolna bolne bolni bolta bolti bolte bolu bolun bolunga bolungi bole bolen bolein bolo
        bologe bolega bolegi bolenge bola boli bolke bolkar boliye keh kehna kehne kehni kehta kehti kehte kehu
        kehun kehunga kehungi kehe kehen kehein keho kehoge kehega kehegi kehenge keha kehi kehke kehkar kehiye dekh
        dekhna dekhne dekhni dekhta dekhti dekhte dekhu dekhun dekhunga dekhungi dekhe dekhen dekhein dekho dekhoge
        dekhega dekhegi dekhenge dekha dekhi dekhke dekhkar dekhiye soch sochna sochne sochni sochta sochti sochte
        sochu sochun sochunga sochungi soche sochen sochein socho sochoge sochega sochegi sochenge socha sochi
        sochke sochkar sochiye rakh rakhna rakhne rakhni rakhta rakhti rakhte rakhu rakhun rakhunga rakhungi rakhe
        rakhen rakhein rakho rakhoge rakhega rakhegi rakhenge rakha rakhi rakhke rakhkar rakhiye chal chalna chalne
        chalni chalta chalti chalte chalun chalunga chalungi chale chalen chalein chalo chaloge chalega chalegi
        chalenge chala chali chalke chalkar chaliye aa aana aane aani aata aati aate aau aaun aaunga aaye aaen aao
        aaoge aaega aaegi aaenge aayega aayegi aaya aayi aake aakar aaiye jaa jaata jaati jaate jaau jaaun jaaunga
        jaaye jaaen jaao jaaoge jaaega jaaegi jaaenge jaayega jaayegi jaaya jaayi jaake jaakar jaaiye ja jana jane
        jani jata jati jate jau jaun jaunga jaye jaen jao jaoge jaega jaegi jaenge jayega jayegi jaya jayi jake
        jakar jaiye daal daalna daalne daalni daalta daalti daalte daalu daalun daalunga daalungi daale daalen
        daalein daalo daaloge daalega daalegi daalenge daala daali daalke daalkar daaliye dal dalna dalne dalni
        dalta dalti dalte dalu dalun dalunga dalungi dale dalen dalein dalo daloge dalega dalegi dalenge dala dali
        dalke dalkar daliye nikal nikalna nikalne nikalni nikalta nikalti nikalte nikalu nikalun nikalunga nikalungi
        nikale nikalen nikalein nikalo nikaloge nikalega nikalegi nikalenge nikala nikali nikalke nikalkar nikaliye
        dikha dikhana dikhane dikhani dikhata dikhati dikhate dikhau dikhaun dikhaunga dikhaye dikhaen dikhao
        dikhaoge dikhaega dikhaegi dikhaenge dikhayega dikhayegi dikhaya dikhayi dikhake dikhakar dikhaiye dikh
        dikhna dikhne dikhni dikhta dikhti dikhte dikhu dikhun dikhunga dikhungi dikhe dikhen dikhein dikho dikhoge
        dikhega dikhegi dikhenge dikhi dikhke dikhkar dikhiye dhundh dhundhna dhundhne dhundhni dhundhta dhundhti
        dhundhte dhundhu dhundhun dhundhunga dhundhungi dhundhe dhundhen dhundhein dhundho dhundhoge dhundhega
        dhundhegi dhundhenge dhundha dhundhi dhundhke dhundhkar dhundhiye ban banna banne banni banta banti bante
        banu banun banunga banungi bane banen banein bano banoge banega banegi banenge bana bani banke bankar baniye
        banana banane banani banata banati banate banau banaun banaunga banaye banaen banao banaoge banaega banaegi
        banaenge banayega banayegi banaya banayi banake banakar banaiye chaiye chahie chahiy chaheye chaiyye krna
        krne krni krta krti krte kr kru krun kre kro krke krwana krana krdo kardo kijiye kiya ki kiye hona hone hota
        hoti hote hoga hogi hoge honge hua hui hue hai hain h hn hu hun hoon tha thi the gaya gayi gai gaye gya gyi
        gye de den dena dene deni deta deti dete do denge dega degi dijiye diya di le len lena lene leni leta leti
        lete lo lenge lega legi lijiye liya li lu loon du dun btao btaiye btana btaye btado batado aya ayi aye ayega
        ayegi mlega mlegi lgega lgta ptaa maloom malum madad maddad help sahayata samasya dikkat diqqat dikat
        pareshani problem prblm probelm issue sawal sawaal question query enquiry inquiry jaankari jankari janna
        info information details detail vivaran baare bare tarika tareeka tarike tarah prakriya process procedure
        steps step option options aaj aj kal parso parson ab abhi abi phir fir filhal turant jaldi jldi din dino
        time samay samaye waqt wakt baar bar pehle pahle pehla phle baad bad aage hamesha aksar aamtaur usually
        normally shayad zaroor jarur zaruri jaruri zarurat jarurat sirf keval bas bilkul sach sahi exactly actually
        lagbhag karib zyada jyada jada bahut bohot bahot bht kaafi kafi thoda thodi thode kam sab sabhi saara sare
        saare sari poora pura puri poori pure har dusra doosra dusri alag waise vaise aise aisa aisi jaise jaisa
        cheez chiz cheezein cheezen baat kahin kahi kisi koi kuch kuchh kch yahan yaha yahaan wahan waha vahan idhar
        udhar paas pas aaspas taraf jagah log logo logon aadmi insan insaan badhiya best better sabse possible use
        istemal upyog karan wajah vajah matlab naya nayi naye new andar bahar hisab sambandhit related koshish kaam
        try tab jab kyunki kyuki isliye wagairah vagera etc want wanna need needs get have has had having know tell
        make does did done going go can could should would will let give using way able trying wonder looking look
        find see say said today tomorrow yesterday now just really still also already even ever again thing things
        something anything someone somewhere anyone lot day days take takes come happen here there any some maybe
        work works next regarding type kind proper available availability ठीक theek thik thek acha achha accha इन in
        up out off on साथ saath sath प्रति सुविधा सुविधाएं suvidha facility उपलब्ध uplabdh मौजूद avail मिलेगें krwa
        krenge ske दीजिएगा lgte नियमित quick quickly whole place nearby till til whats hows wheres dono दोनों kai कई
        अगला अगली अगले agla agle agli पिछला पिछली पिछले pichla pichle मौका हूंगा krwane first second after before
        soon later bta dijiyega skta skte skti hojayega hojaega hogya hogaya ho rhe rha rhi`,
    stop: `का के को में मे से पर और या तो तों ही भी यह ये यहीं वह वो वे इस उस उन इसे उसे इन्हें उन्हें इसका इसकी इसके
        उसका उसकी उसके इनका इनकी इनके उनका उनकी उनके इसमें उसमें इसपर उसपर इससे उससे मैं मैने मैंने मेरा मेरी मेरे
        मुझे मुझको मुझसे हम हमने हमारा हमारी हमारे हमें हमको हमसे आप आपने आपका आपकी आपके आपको आपसे आपलोग तुम
        तुम्हारा तुम्हारी तुम्हारे तुम्हें तू तेरा तेरी अपना अपनी अपने खुद स्वयं ने तक लिए द्वारा एक जो कि किंतु मगर
        लेकिन परंतु यदि अगर जिस जिसे जिसका जिसकी जिसके जिनका एव व तथा अथवा वाला वाली वाले ऊपर नीचे हेतु ka ke ko k
        mein me mai men se sy par pe pr aur or ya yaa to toh bhi bi bhee yah ye yeh wo woh vo vah is us un iss uss
        ise isse usse iska iski iske uska uski uske isme ismein usme main maine mene mera meri mere mujhe muje
        mujhko mujhse mjhe mko hum ham humne hamara hamari hamare humara humari hume humein hame hamko aap ap aapne
        aapka aapki aapke apka apki apke aapko apko aapse apse tum tumhara tumhari tumhe tu tera teri apna apni apne
        khud ne tak tk liye lie liy ek jo agar lekin magar wala wali wale vala vali vale upar niche a an of at for
        from with by and if was were be am it this that these those i you u he she they we my mine your our their
        his her them as so but than then about into down no ur r im`,
  },
  generic: `खरीदना बेचना लाना लाऊं भेजना बदलना लौटना वापस रुकना रोकना शुरू खत्म समाप्त छोड़ना खोना खोया गुम भूलना
    लिखना सुनना चुनना जोड़ना हटाना उठाना बैठना पहुंचना मानना माना स्वीकार मना इंतजार खोलना बंद खुला सीखना बढ़ना
    तोड़ना टूटा गिरना बचना भरना याद पसंद अनुमति शामिल तय फैसला बड़ा छोटा महंगा सस्ता पुराना पुरानी बुरा तेज धीमा
    कठिन सुरक्षित खतरनाक साफ गंदा गर्म ठंडा भारी हल्का लंबा मोटा पतला गलत असली नकली खाली व्यस्त फ्री देर लेट बीमार
    खुश सामान्य खास विशेष अंतिम आखिरी तैयार महत्वपूर्ण मजबूत ताजा अकेला अतिरिक्त एक्स्ट्रा सामने बीच पत्नी बीवी वाइफ
    हस्बैंड बेटा बच्चा लड़का दोस्त मित्र पिता पिताजी पापा मम्मी बहन दादी परिवार फैमिली सहकर्मी मेहमान महिला पुरुष
    ग्रुप हिस्सा आइडिया घर शहर गांव देश दुनिया नाम नंबर प्लान लिस्ट गुणवत्ता क्वालिटी अनुभव अंतर स्थिति साइज आधा
    उम्र जिंदगी साल महीना हफ्ता सप्ताह घंटा मिनट सुबह दोपहर शाम रात वीकेंड छुट्टी सोमवार मंगलवार बुधवार गुरुवार
    शुक्रवार शनिवार रविवार संडे जनवरी फरवरी मार्च अप्रैल जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर सर्दी kharidna
    kharid kharida bechna bhejna bhej bheja bhejo badalna badal badla badalne badli lautana wapas vapas rukna ruk
    ruka rokna shuru khatam khatm chhodna chhod chod bhool bhul bhula likhna likh likha sunna suna pahunchna pahunch
    intezar intezaar wait check khula khol toot bachana yaad pasand ijazat shamil accept bring buy sell send change
    start stop leave keep stay move receive join choose read write bada badi bade chhota chota chhoti choti chote
    mehnga sasta saste purana purane tez dheere aasan mushkil safe saaf garam thanda bhari galat khali busy free der
    late bimar khush khaas aakhri taiyar tayyar akela akele double big small large old fast expensive cheap own last
    different open special patni pati biwi wife husband beta bete beti bacha bache bachche bachon ladka ladki dost
    friend friends pita papa mata maa mummy behan dadi parivar family guest child children kids person people boss
    son daughter mother father brother sister hissa idea ghar ghr home house city shahar desh duniya country naam
    name number list plan quality size umar age part halat saal mahina mahine hafte ghanta minute year month week
    hour dopahar shaam sham raat rat weekend somwar mangalwar budhwar guruwar shukrawar shaniwar raviwar monday
    tuesday wednesday thursday friday saturday sunday january february march april june july august september
    october november december garmi sardi`,
  synonyms: [
    // Price and payment
    'कीमत|शुल्क|दाम|खर्च|फीस|चार्ज|रेट|मूल्य|लागत|price|fees|charges|rate|kimat',
    'कीमत: प्राइस|मूल्य|कॉस्ट|kimat|keemat|price|prices|cost|daam|dam|भाव|bhav',
    'फीस: fees|fee|feez|शुल्क|shulk|fess',
    'चार्ज: charge|charges|चार्जेज|चार्जेस',
    'खर्च: kharch|expense|cost|लागत',
    'रेट: rate|rates|दर|टैरिफ|tariff|रेट लिस्ट|rate list|price list|rate card',
    'कितना पैसा|कितना खर्च|कितने रुपये|कितनी कीमत|kitna paisa|kitne paise|kitna kharcha|kitne rupaye|kitne rupees|how much|कीमत|शुल्क|फीस',
    'कितना पैसा|कितना चार्ज|क्या रेट|kitna charge|kitni fees|kya rate|kya price|चार्ज|रेट|दाम|fees|price',
    'कीमत ~ कितना लगेगा|कितने पड़ेगा|कितना देना|kitna lagega|kitna lgega|kitna dena|kitne padega|रुपये',
    'शुल्क ~ कितना लगेगा|कितना देना|kitna lagega|kitne ka padega|रुपये|rupees',
    'मासिक|महीने|प्रति माह|हर महीने|monthly|mahine|per month|मंथली',
    'वार्षिक|सालाना|प्रति वर्ष|हर साल|yearly|saalana|annual|per year|सलाना',
    'पैसा|रकम|राशि|धन|अमाउंट|paisa|amount',
    'पैसा: paisa|paise|pese|pesa|money|कैश',
    'रुपये: रुपए|rupaye|rupees|rs|inr',
    'सस्ता|कम दाम|कम कीमत|किफायती|sasta|cheap|cheapest',
    'महंगा|ज्यादा पैसा|mehnga|mahanga|expensive|costly',
    'सस्ता ~ छूट|ऑफर|डिस्काउंट|कीमत',
    'महंगा ~ कीमत|शुल्क',
    'मुफ्त|फ्री|निःशुल्क|बिना शुल्क|बिना पैसे|free|muft|free of cost|no charge',
    'मुफ्त ~ शुल्क|कीमत|चार्ज',
    'भुगतान|पेमेंट|चुकाना|अदायगी|payment|pay|bhugtan',
    'भुगतान: पेमेंट|पेमेन्ट|payment|pay|paid|bhugtan',
    'भरना|जमा|भुगतान|bharna|jama|चुकाना',
    'भुगतान ~ कैश|नकद|कार्ड|यूपीआई|upi|किस्त|नेट बैंकिंग',
    'नकद|कैश|नगद|cash|nakad',
    'यूपीआई|upi|गूगल पे|google pay|gpay|फोनपे|phonepe|पेटीएम|paytm|भीम',
    'ऑनलाइन पेमेंट: यूपीआई|कार्ड|नेट बैंकिंग|upi|netbanking',
    'यूपीआई ~ ऑनलाइन|पेमेंट|क्यूआर|qr',
    'क्यूआर|qr|स्कैन|scan|क्यूआर कोड',
    'कैश ऑन डिलीवरी|सीओडी|cod|cash on delivery|डिलीवरी पर भुगतान|सामान मिलने पर पैसे|saman milne par paise',
    'किस्त|किश्त|ईएमआई|emi|installment|kist|इंस्टॉलमेंट|kiston',
    'एडवांस|अग्रिम|पेशगी|advance|advans|टोकन',
    'जमानत|सिक्योरिटी|डिपॉजिट|security deposit|deposit|सुरक्षा राशि|सिक्योरिटी डिपॉजिट|जमा राशि',
    'बिल|चालान|इनवॉइस|bill|invoice|इनवॉयस|बिल्स',
    'रसीद|रिसीट|receipt|rasid|raseed|पर्ची|slip|पावती|स्लिप',
    'रसीद ~ बिल|इनवॉइस|भुगतान',
    'जीएसटी|gst|टैक्स बिल|gst bill|जीएसटी बिल',
    'टैक्स|tax|taxes|जीएसटी|gst',
    'छूट|डिस्काउंट|रियायत|discount|chhoot|chut|concession|कंसेशन',
    'छूट ~ ऑफर|कूपन|सेल|स्कीम',
    'ऑफर|स्कीम|offer|scheme|योजना|yojana|sale|सेल',
    'कूपन|वाउचर|प्रोमो कोड|coupon|voucher|promo code|promocode|कूपन कोड|प्रोमो',
    'गिफ्ट कार्ड|gift card|उपहार कार्ड|गिफ्ट वाउचर|gift voucher',
    'उपहार|गिफ्ट|तोहफा|gift|tohfa|uphar|भेंट',
    'पॉइंट्स|प्वाइंट|points|रिवॉर्ड|reward|अंक|कैशबैक',
    'कैशबैक|cashback|कैश बैक',
    'वॉलेट|wallet|बटुआ',
    'भुगतान फेल|पेमेंट फेल|पेमेंट नहीं हुआ|payment fail|payment failed|भुगतान असफल|पेमेंट अटक|भुगतान विफल',
    'फेल|असफल|विफल|fail|failed|fail ho gaya|अटक|atak',
    'पैसे कट|राशि कट|paise kat|paisa kat|paise kat gaye|amount deducted|डेबिट',
    'दो बार कट|डबल पेमेंट|दोबारा कट|do baar kat|double charge|दो बार भुगतान|दोहरा भुगतान',
    'बकाया|बाकी|ड्यू|उधार|due|bakaya|pending amount|बकाया राशि|आउटस्टैंडिंग',
    'जुर्माना|पेनल्टी|दंड|fine|penalty|jurmana|लेट फीस|विलंब शुल्क|late fee|फाइन',
    'लेट फीस|विलंब शुल्क|late fees|late fee|देर शुल्क',
    'देर ~ जुर्माना|लेट फीस|विलंब शुल्क|पेनल्टी',
    'अतिरिक्त|एक्स्ट्रा|extra|फालतू',
    'न्यूनतम|मिनिमम|कम से कम|minimum|kam se kam',
    'अधिकतम|मैक्सिमम|ज्यादा से ज्यादा|maximum|limit|लिमिट|सीमा',
    'लिमिट|सीमा|limit',
    // Hours, days, dates
    'टाइमिंग|खुलने का समय|कब खुल|कितने बजे खुल|kab khulta|kab khulti|kab khulega|timing|समय सारणी',
    'टाइमिंग|कब बंद|कितने बजे बंद|बंद होने का समय|kab band|kitne baje band|कब तक खुला|कितने बजे तक|kab tak khula|kitne baje tak',
    'समय|टाइम|time|samay|वक्त',
    'खुलने का समय|कब खुल|कितने बजे खुल|कार्य समय|opening time|opening hours|working hours|kab khulti|kitne baje khulti|kitne baje khulta',
    'कब ~ समय|तारीख|टाइमिंग|kab',
    'टाइमिंग ~ खुला|बंद|बजे|सुबह|शाम|रात',
    'टाइमिंग ~ समय|टाइम|बजे|घंटे|samay|time|कितने बजे|kitne baje',
    'खुला|खोलना|ओपन|open|khula|khulti|khulega',
    'खुल: khulta|khulega|khulenge|khuli|khulne|ओपन|opens',
    'बंद|क्लोज|closed|close|band|क्लोज्ड|बन्द',
    'बंद ~ छुट्टी|अवकाश|खुला|टाइमिंग',
    "बजे|baje|o'clock|pm",
    'घंटे|आवर|hours|hour|ghante|hrs',
    'मिनट|minute|mint|मिनिट',
    'चौबीस घंटे|24 घंटे|24 hours|24x7|24 ghante|दिन रात|24 7',
    'सुबह|सवेरे|प्रातः|subah|savere',
    'दोपहर|dopahar|दुपहर|लंच टाइम|lunch time',
    'शाम|संध्या|shaam|sham|सायं',
    'रात|नाइट|रात्रि|raat|rat|night',
    'सोमवार|monday|मंडे|somvar',
    'मंगलवार|tuesday|ट्यूजडे|mangalvar',
    'बुधवार|wednesday|budhvar',
    'गुरुवार|बृहस्पतिवार|वीरवार|thursday|guruvar',
    'शुक्रवार|friday|फ्राइडे|shukravar|जुमा',
    'शनिवार|saturday|सैटरडे|shanivar',
    'रविवार|इतवार|sunday|संडे|ravivar|itwar',
    'वीकेंड ~ शनिवार|रविवार|saturday|sunday|संडे|इतवार',
    'वीकेंड|सप्ताहांत|weekend|हफ्ते के अंत',
    'सप्ताह|हफ्ता|वीक|hafta|hafte|week|weeks|saptah',
    'महीना|माह|मंथ|mahina|mahine|month|months|मास',
    'साल|वर्ष|ईयर|saal|sal|year|बरस|varsh',
    'रोज|प्रतिदिन|हर दिन|daily|roz|rozana|डेली',
    'छुट्टी|अवकाश|हॉलिडे|chutti|holiday|leave',
    'छुट्टी ~ बंद|खुला|टाइमिंग|त्योहार|रविवार',
    'त्योहार|त्यौहार|पर्व|festival|tyohar|फेस्टिवल',
    'त्योहार: दिवाली|होली|ईद|दशहरा|रक्षाबंधन|क्रिसमस|diwali|holi|eid|नवरात्रि|दुर्गा पूजा',
    'त्योहार ~ बंद|छुट्टी|अवकाश|खुला',
    'छुट्टी ~ 15 अगस्त|26 जनवरी|दिवाली|होली|ईद|राष्ट्रीय अवकाश',
    'तारीख|तिथि|दिनांक|date|tarikh|tareekh|dates',
    'अंतिम|आखिरी|लास्ट|last|aakhri|antim',
    'अंतिम तारीख|आखिरी तारीख|लास्ट डेट|last date|deadline|अंतिम तिथि|डेडलाइन',
    'अंतिम तारीख ~ कब तक|समय सीमा|kab tak',
    'समय सीमा|डेडलाइन|deadline',
    'अवधि|कितने दिन|कितना समय|duration|kitne din|kitna time|कितने महीने|पीरियड|मियाद',
    'कितने दिन|कितना समय|कितने घंटे|kitne din|kitna time|kitna samay|kitni der|कितनी देर|how long',
    'कितने दिन ~ कब तक|kab tak|दिनों में|घंटे|महीने',
    'देर|लेट|विलंब|late|der|deri|delay|डिले',
    'जल्दी ~ एक्सप्रेस|तत्काल|express|फास्ट',
    'तत्काल|एक्सप्रेस|फास्ट|express|tatkal|fast|अर्जेंट सेवा',
    'शेड्यूल|समय सारणी|schedule|टाइम टेबल|time table|timetable|टाइमटेबल',
    'बारिश|बरसात|मौसम|rain|barish|weather',
    'मौसम ~ रद्द|बारिश',
    // Place, directions, transport
    'एड्रेस|address|लोकेशन|location|एड्रैस',
    'एड्रेस ~ पता|कहां है|कहां पर|कहां स्थित|किस जगह|kahan hai|kahan par|pata|kaha hai',
    'लोकेशन|दुकान कहां|dukan kahan|dukan kaha|shop kahan|office kahan|ऑफिस कहां|शाखा कहां|ब्रांच कहां|शोरूम कहां|कहां स्थित',
    'लोकेशन|लोकेसन|location|map|मैप|नक्शा',
    'लोकेशन ~ कहां|किधर|kahan|रास्ता|पहुंच|एड्रेस',
    'पता बदल|एड्रेस चेंज|address change|एड्रेस बदल|pata badal',
    'रास्ता|मार्ग|डायरेक्शन|rasta|direction|route|रूट',
    'कैसे पहुंच|रास्ता|kaise pahunche|kaise pahuche|how to reach',
    'रास्ता ~ कैसे आए|कैसे जाए|kaise aaye|kaise jaye',
    'पहुंच ~ रास्ता|मेट्रो|बस|स्टेशन|लोकेशन',
    'दुकान|शॉप|स्टोर|शोरूम|dukan|shop|store|showroom|आउटलेट',
    'शाखा|ब्रांच|branch|shakha|सेंटर|center|केंद्र|branches',
    'सेंटर|केंद्र|केन्द्र|center|kendra',
    'दफ्तर|ऑफिस|कार्यालय|office|daftar|karyalay',
    'सबसे पास|नजदीक|निकटतम|nearest|nazdik|nearby|near',
    'नजदीक ~ शाखा|दुकान|लोकेशन|सेंटर',
    'दूर|कितनी दूर|distance|duri|kitni dur|किलोमीटर',
    'पार्किंग|parking|गाड़ी खड़ी|गाड़ी पार्क|कार खड़ी|gadi khadi|gaadi khadi|gadi park|parking space',
    'पार्किंग ~ गाड़ी|कार|बाइक|स्कूटर|car',
    'गाड़ी: कार|car|बाइक|स्कूटर|मोटरसाइकिल|gadi|वाहन|vehicle|bike',
    'गाड़ी|वाहन|कार|gadi|vehicle|car',
    'बाइक|मोटरसाइकिल|स्कूटर|दोपहिया|टू व्हीलर|bike|scooter|two wheeler|स्कूटी',
    'साइकिल|cycle|bicycle|saikil',
    'मेट्रो|metro|मेट्रो स्टेशन',
    'बस|bus|बस स्टॉप|बस स्टैंड|bus stop',
    'ट्रेन|रेल|रेलगाड़ी|train|रेलवे',
    'स्टेशन|station|रेलवे स्टेशन|steshan',
    'हवाई अड्डा|एयरपोर्ट|airport|विमानतल|hawai adda',
    'टैक्सी|कैब|taxi|cab|ऑटो|auto|ओला|उबर|रिक्शा',
    'पिकअप|पिक अप|pickup|pick up|लेने आएंगे|एयरपोर्ट पिकअप',
    'एयरपोर्ट ~ टैक्सी|पिकअप|शटल|कैब',
    'शहर|सिटी|नगर|city|shahar|sheher',
    'इलाका|क्षेत्र|एरिया|area|ilaka|kshetra|मोहल्ला',
    'पिनकोड|पिन कोड|pincode|pin code|जिप',
    'मंजिल|फ्लोर|floor|तल|manzil',
    'लिफ्ट|एलिवेटर|lift|elevator|सीढ़ी',
    'सीढ़ी|stairs|seedhi',
    'प्रवेश|एंट्री|अंदर आना|entry|entrance|pravesh|गेट',
    'गेट|द्वार|दरवाजा|gate|darwaza|door',
    // Contact
    'संपर्क|सम्पर्क|कॉन्टैक्ट|contact|बात कर|sampark|baat kar|संपर्क करना',
    'संपर्क ~ बात|baat|फोन|मिल',
    'फोन|टेलीफोन|phone|call|कॉल|fon|telephone',
    'कॉल|फोन|call|फोन करना|कॉल करना',
    'फोन ~ नंबर|मोबाइल|संपर्क|number',
    'मोबाइल ~ नंबर|फोन|सिम',
    'मोबाइल|फोन|mobile|phone|स्मार्टफोन|smartphone',
    'नंबर|नम्बर|number|nambar|नं',
    'हेल्पलाइन|टोल फ्री|कस्टमर केयर|helpline|toll free|customer care|ग्राहक सेवा|कस्टमर सर्विस|customer service',
    'हेल्पलाइन ~ नंबर|शिकायत|संपर्क|फोन',
    'इंसान से बात|आदमी से बात|एजेंट|अधिकारी से बात|agent|किसी से बात|kisi se baat|executive|प्रतिनिधि|human',
    'ईमेल|इमेल|मेल|email|mail|ई मेल|e-mail',
    'व्हाट्सएप|व्हाट्सऐप|वॉट्सऐप|whatsapp|whats app|वाट्सएप|व्हाट्सअप',
    'संपर्क ~ फोन|ईमेल|व्हाट्सएप|नंबर|हेल्पलाइन',
    'वेबसाइट|साइट|website|site|वेब साइट|पोर्टल|portal',
    'चैट|chat|लाइव चैट|मैसेज',
    'संदेश|मैसेज|एसएमएस|message|sms|msg|मेसेज',
    'शिकायत|कंप्लेंट|कम्प्लेन|complaint|shikayat|कंप्लेन',
    'शिकायत ~ दर्ज|खराब|लापरवाही|टिकट',
    'फीडबैक|सुझाव|राय|feedback|review|रिव्यू|suggestion|sujhav',
    'मैनेजर|प्रबंधक|manager|मालिक|ओनर|owner',
    'स्टाफ|कर्मचारी|staff|karmchari',
    'दर्ज|लिखवाना|रजिस्टर|दर्ज कराना|darj|register',
    'भाषा|लैंग्वेज|language|bhasha|हिंदी|अंग्रेजी|english|hindi',
    // Orders and delivery
    'ऑर्डर|आर्डर|order|ऑडर|ओर्डर',
    'ऑर्डर ~ खरीद|मंगाना|सामान|डिलीवरी',
    'खरीदना|मंगाना|मंगवाना|ऑर्डर करना|kharidna|mangana|buy|order',
    'खरीद: kharid|kharidna|khareedna|buy|purchase|bought|परचेज|खरीदारी',
    'मंगाना: मंगवाना|mangana|mangwaya',
    'बेचना|विक्रय|sell|bechna|बिक्री',
    'सामान|प्रोडक्ट|उत्पाद|आइटम|saman|product|item|माल',
    'पार्सल|पैकेट|कूरियर|parcel|courier|कोरियर',
    'पार्सल ~ सामान|ऑर्डर|डिलीवरी|ट्रैक',
    'डिलीवरी|डिलिवरी|delivery|पहुंचाना|होम डिलीवरी|घर पहुंच|शिपिंग|shipping',
    'डिलीवरी: delivery|डेलिवरी|डिलेवरी|deliver|delivered|घर पर',
    'घर पर|होम डिलीवरी|home delivery|ghar par|होम सर्विस|घर बैठे|ghar baithe',
    'भेजना|भिजवाना|शिप|bhejna|bhejte|send|bhejoge|डिस्पैच|dispatch',
    'भेजना ~ डिलीवरी|कूरियर|शिपिंग|पार्सल',
    'पहुंच|pahunchega|pahunchna|pohchega|reach|pohonchega',
    'डिलीवरी ~ पहुंच|कब आएगा|कब मिलेगा|kab aayega|kab milega|kab ayega',
    'नहीं आया|नहीं मिला|नहीं पहुंचा|nahi aaya|nahi mila|nahi pahucha|not received|अभी तक नहीं|nhi aaya|nhi mila',
    'नहीं मिला ~ देर|ट्रैक|गुम|डिलीवरी',
    'ट्रैक|ट्रैकिंग|track|tracking|स्टेटस|status|कहां पहुंचा|kahan pahuncha|कहां तक',
    'ट्रैक ~ ऑर्डर कहां|सामान कहां|पार्सल कहां|order kahan|saman kahan|parcel kahan',
    'स्टेटस|स्थिति|status|sthiti|स्टेट्स|प्रगति',
    'स्टॉक|अवेलेबल|stock|stok',
    'उपलब्ध|available|uplabdh|मौजूद|अवेलेबल',
    'उपलब्ध ~ स्टॉक|मिल|बचा|milega|stock',
    'आउट ऑफ स्टॉक|out of stock|स्टॉक खत्म|माल खत्म',
    'आउट ऑफ स्टॉक ~ खत्म|khatam|स्टॉक|उपलब्ध',
    'साइज|आकार|नाप|size|saiz|माप|naap',
    'साइज ~ छोटा|बड़ा|फिट|टाइट|ढीला|fit',
    'बड़ा|large|bada|badi|big|लार्ज',
    'छोटा|small|chota|स्मॉल',
    'रंग|कलर|color|rang|कलर्स',
    'वजन|भार|weight|wajan|किलो|kg',
    'थोक|होलसेल|bulk|wholesale|thok|बल्क|ज्यादा मात्रा',
    'पैकिंग|पैकेजिंग|packing|packaging|गिफ्ट रैप|gift wrap|gift pack',
    'इंस्टॉलेशन|लगवाना|फिटिंग|installation|lagwana|install|फिट करवाना|इंस्टाल',
    'विदेश|इंटरनेशनल|अंतरराष्ट्रीय|videsh|international|abroad|दूसरे देश|बाहर के देश',
    // Returns, refunds, damage
    'रिफंड|पैसे वापस|राशि वापस|refund|paise wapas|paisa wapas|paise wapis|money back|धनवापसी|paise vapas',
    'रिफंड: refund|refunds|रिफण्ड|रीफंड|रिफंड्स|धनवापसी',
    'रिफंड ~ वापस|रद्द|पैसे|wapas',
    'वापस|लौटाना|रिटर्न|return|wapas|wapis|vapas|lautana|वापिस',
    'वापस: wapas|wapis|vapas|vapsi|वापिस|return|returns',
    'रिटर्न|लौटाना|सामान वापस|return|returns|lautana|saman wapas|product wapas|वापसी',
    'रिटर्न ~ पसंद नहीं|खराब|एक्सचेंज|पॉलिसी',
    "पसंद नहीं|अच्छा नहीं लगा|pasand nahi|acha nahi laga|पसन्द नहीं|don't like|not like",
    'एक्सचेंज|सामान बदल|साइज बदल|प्रोडक्ट बदल|exchange|replace|रिप्लेस|रिप्लेसमेंट|replacement|saman badal|size badal',
    'एक्सचेंज ~ बदलना|बदलवाना|badalna|badal|रिटर्न',
    'बदलना|बदलूं|अपडेट|बदलवाना|बदलाव|change|चेंज|badalna|update',
    'बदल: badal|badalna|badle|badalwana|badlav|चेंज|change|परिवर्तन',
    'सुधार|करेक्शन|correction|sudhar|संशोधन|सुधरवाना|गलत नाम',
    'अपडेट|update|अपडेशन',
    'खराब|टूटा|डैमेज|damage|kharab|toota|defective|डिफेक्टिव|फटा|damaged',
    'खराब: kharab|damage|damaged|defective|टूटा|toota|tuta|tut gaya|फटा|faulty',
    'काम नहीं|नहीं चल|चल नहीं|kaam nahi|nahi chal|chal nahi|not working|खराब|नहीं हो रहा',
    'काम नहीं ~ बंद|रीस्टार्ट|खराबी',
    'गलत|दूसरा सामान|गलत सामान|wrong|galat|galat saman|wrong item|wrong product',
    'अधूरा|कम निकला|मिसिंग|missing|आधा|incomplete|kam nikla|गायब',
    'वारंटी|गारंटी|वारन्टी|warranty|guarantee|guaranty|गारन्टी|गैरंटी',
    'वारंटी ~ मरम्मत|रिपेयर|खराब|सर्विस सेंटर|टूटा',
    'रद्द|कैंसिल|cancel|कैंसल|निरस्त|radd|cancellation|कैंसिलेशन',
    'रद्द: cancel|radd|cancelled|cancellation|कैन्सल|कैंसिलेशन|खारिज',
    'रद्द ~ रिफंड|शुल्क',
    'क्लेम|दावा|claim|dava',
    'मुआवजा|हर्जाना|compensation|muavza|भरपाई',
    'गुणवत्ता|क्वालिटी|quality|असली|ओरिजिनल|original|asli',
    // Accounts, apps, data
    'खाता|अकाउंट|एकाउंट|account|khata',
    'अकाउंट ~ लॉगिन|प्रोफाइल|पासवर्ड',
    'प्रोफाइल|profile',
    'अकाउंट बना|रजिस्टर|रजिस्ट्रेशन|साइन अप|sign up|signup|register|registration|account bana|पंजीकरण|खाता बना',
    'रजिस्ट्रेशन|पंजीकरण|पंजीयन|registration|register|रजिस्टर|panjikaran|नामांकन',
    'लॉगिन|लॉग इन|साइन इन|login|log in|sign in|लॉगइन|signin',
    'लॉगिन ~ पासवर्ड|ओटीपी|अकाउंट',
    'लॉगआउट|लॉग आउट|logout|log out|sign out',
    'पासवर्ड|password|पासवर्ड्स|passwd|कूटशब्द',
    'पासवर्ड ~ भूल|रीसेट|लॉगिन|बदलना',
    'भूल|भूल गया|याद नहीं|bhool|bhul|bhul gaya|forgot|yaad nahi|forget',
    'भूल ~ रीसेट|reset',
    'रीसेट|रिसेट|reset|दोबारा सेट|नया पासवर्ड',
    'यूजरनेम|यूजर आईडी|user id|username|userid|आईडी',
    'ओटीपी|otp|वेरिफिकेशन कोड|ओ टी पी|verification code|सत्यापन कोड',
    'ओटीपी ~ मैसेज|सत्यापन|नहीं आया',
    'सत्यापन|वेरिफिकेशन|वेरिफाई|verification|verify|satyapan|जांच',
    'केवाईसी|kyc|पहचान सत्यापन|ई केवाईसी|ekyc',
    'ऐप|एप|एप्प|app|एप्लीकेशन|apps|ऐप्प',
    'ऐप ~ डाउनलोड|इंस्टॉल|मोबाइल|एंड्रॉयड',
    'डाउनलोड|download|डाउनलोडिंग',
    'अपलोड|upload|चढ़ाना',
    'प्रिंट|प्रिंटआउट|print|छपवाना|प्रिंट आउट',
    'कॉपी|copy|फोटोकॉपी|photocopy|छायाप्रति|ज़ेरॉक्स',
    'फोटो|तस्वीर|चित्र|photo|pic|picture|image',
    'कंप्यूटर|लैपटॉप|computer|laptop|पीसी|pc|डेस्कटॉप',
    'आईफोन|iphone|आईओएस|ios',
    'सेटिंग|सेटिंग्स|setting',
    'सूचना|खबर|नोटिस|notice|suchna',
    'सब्सक्राइब ~ न्यूजलेटर|ईमेल',
    'मैसेज बंद|ईमेल बंद|अनसब्सक्राइब|unsubscribe|message band|विज्ञापन बंद|dnd|डीएनडी',
    'डेटा|डाटा|data|आंकड़े',
    'निजता|प्राइवेसी|गोपनीयता|privacy|gopniyata|निजी जानकारी|व्यक्तिगत जानकारी',
    'सुरक्षित|सुरक्षा|सेफ|safe|secure|surakshit|security|सिक्योर',
    'हैक|hack|हैक हो|hacked|हैकर',
    'डिलीट|हटाना|मिटाना|delete|hatana|remove|mitana|रिमूव',
    'अकाउंट बंद|खाता बंद|अकाउंट डिलीट|account band|account delete|khata band|close account|delete account',
    'चालू|एक्टिवेट|सक्रिय|activate|chalu|active|एक्टिव|शुरू करना|activation|ऑन',
    'निष्क्रिय|डीएक्टिवेट|deactivate|बंद करना|बंद करवाना',
    'ब्लॉक|block|लॉक|lock|blocked',
    'अनब्लॉक|unblock|अनलॉक|unlock|दोबारा चालू',
    'कनेक्ट|जोड़ना|connect|jodna|लिंक|link|जुड़',
    'जोड़ना|ऐड|add|jodna|जुड़वाना|jodwana',
    'सर्वर|सर्वर डाउन|server|एरर',
    'एरर|त्रुटि|error|गड़बड़ी|खराबी',
    'अपग्रेड|upgrade|बढ़ाना|ऊंचा प्लान',
    'प्लान|पैक|प्लांस|plan|plans|pack|पैकेज|योजना|package',
    'प्लान ~ कीमत|रिचार्ज|अपग्रेड',
    'ट्रायल|डेमो|trial|demo|फ्री ट्रायल|free trial|आजमाना|aazmana',
    'सब्सक्रिप्शन|सदस्यता|subscription|मेंबरशिप|membership|sadasyata|subscribe',
    'सदस्य|मेंबर|member|sadasya',
    'सदस्यता ~ फीस|छोड़ना|नवीनीकरण|जॉइन',
    'जॉइन|ज्वाइन|शामिल|join|joining|जुड़ना|भर्ती होना',
    'नवीनीकरण|रिन्यू|रिन्यूअल|renew|renewal|navinikaran|आगे बढ़ाना',
    'एक्सपायर|expire',
    'एक्सपायर ~ समाप्त|खत्म|वैधता|रिन्यू',
    'वैधता|वैलिडिटी|मान्य|validity|valid|vaidhta',
    'रोकना|पॉज|होल्ड|pause|hold|rokna|फ्रीज|freeze|कुछ दिन बंद',
    'छोड़ना|leave|chhodna|quit',
    // Booking and travel
    'बुकिंग|बुक|आरक्षण|रिजर्वेशन|booking|book|reservation|आरक्षित|रिज़र्व',
    'बुकिंग: booking|bukking|book|reserve|reservation|बुक करना|book karna|आरक्षण',
    'बुकिंग ~ अपॉइंटमेंट|स्लॉट|एडवांस|टिकट',
    'अपॉइंटमेंट|अपॉइन्टमेंट|appointment|नंबर लगाना|अप्वाइंटमेंट|स्लॉट|slot|nambar lagana',
    'अपॉइंटमेंट ~ बुक|डॉक्टर|बिना अपॉइंटमेंट',
    'बिना अपॉइंटमेंट|सीधे आ|walk in|bina appointment|वॉक इन',
    'रीशेड्यूल|तारीख बदल|समय बदल|reschedule|date change|tarikh badal|दूसरी तारीख|डेट चेंज|time change|date badal',
    'नहीं आ पाया|न पहुंचे|नहीं पहुंच|nahi aa paya',
    'कमरा|रूम|room|kamra|रूम्स|rooms',
    'कमरा ~ होटल|बिस्तर|एसी|चेक इन',
    'होटल|गेस्ट हाउस|hotel|guest house|लॉज|रिसॉर्ट',
    'ठहरना|रुकना|stay|rukna|thaharna|ठहराव',
    'चेक इन|चेकइन|check in|checkin|कमरा कब मिलेगा',
    'चेक आउट|चेकआउट|check out|checkout|कमरा खाली',
    'जल्दी चेक इन|early check in|अर्ली चेक इन',
    'लगेज|बैग|luggage|bag|baggage|bags|बैगेज',
    'सामान ~ लगेज|बैग|luggage|bag',
    'लगेज ~ वजन|सामान रख|किलो|क्लॉक रूम',
    'सामान रख|क्लॉक रूम|लॉकर|cloak room|locker|saman rakh|saman rakhna',
    'बिस्तर|बेड|bed|bistar|पलंग|अतिरिक्त बिस्तर',
    'एसी|ac|एयर कंडीशनर|वातानुकूलित|ए सी',
    'वाईफाई|वाई फाई|wifi|wi-fi|इंटरनेट|internet|नेट',
    'नाश्ता|ब्रेकफास्ट|breakfast|nashta|नास्ता',
    'स्विमिंग पूल|पूल|pool|swimming|तैराकी|स्विमिंग|swimming pool',
    'टेबल|मेज|table|tebal',
    'टेबल ~ बुक|रेस्टोरेंट|मेहमान',
    'टिकट|टिकिट|ticket|tickets',
    'टिकट ~ बुक|प्रवेश|शो|सीट',
    'सीट|कुर्सी|seat|seats|बैठने',
    'सीट ~ बैठना|खाली|बर्थ',
    'फ्लाइट|उड़ान|हवाई जहाज|flight|विमान|udaan|प्लेन',
    'बोर्डिंग पास|boarding pass|वेब चेक इन|web check in',
    'वीजा|visa',
    'यात्रा|सफर|ट्रिप|travel|trip|yatra|safar|टूर|tour',
    'यात्री|पैसेंजर|passenger|मुसाफिर|yatri',
    'समूह|ग्रुप|group|लोगों का ग्रुप|ग्रुप बुकिंग|टोली',
    'पार्टी|जन्मदिन|बर्थडे|party|birthday|इवेंट|event|कार्यक्रम|function',
    'शादी|विवाह|shaadi|shadi|marriage|wedding|मैरिज|vivah',
    'मेहमान|गेस्ट|अतिथि|guest|mehman',
    'प्रतीक्षा|इंतजार|वेटिंग|waiting|intezar|wait|लाइन',
    'लाइन|कतार|queue|line',
    'गाइड|guide|ऑडियो गाइड',
    'म्यूजियम|संग्रहालय|museum',
    // Food, people, access
    'खाना|भोजन|फूड|food|khana|भोजन व्यवस्था|meal',
    'खाना ~ मेन्यू|शाकाहारी|नाश्ता|रेस्टोरेंट',
    'मेन्यू|मेनू|menu|खाने में क्या',
    'रेस्टोरेंट|रेस्तरां|restaurant|ढाबा|भोजनालय|होटल',
    'शाकाहारी|वेज|वेजिटेरियन|veg|vegetarian|shakahari|vegan|वीगन|शुद्ध शाकाहारी',
    'मांसाहारी|नॉन वेज|नॉनवेज|non veg|nonveg',
    'नॉनवेज: चिकन|मटन|मछली|अंडा|chicken|mutton|egg',
    'शाकाहारी ~ मांसाहारी|जैन|प्याज लहसुन|भोजन|खाना',
    'एलर्जी|allergy|allergic|एलर्जिक',
    'एलर्जी ~ मूंगफली|दूध|ग्लूटेन|सामग्री',
    'शराब|अल्कोहल|दारू|alcohol|sharab|daru|बीयर|ड्रिंक',
    'पानी|जल|water|pani',
    'केक|cake|मिठाई|mithai|sweets',
    'लंच|दोपहर का खाना|lunch|टिफिन|tiffin',
    'डिनर|रात का खाना|dinner|raat ka khana',
    'बच्चा|बालक|bacha|bachche|kids|child|children',
    'बच्चा: bacha|bachche|bachon|kid|kids|child|children|बेटा|किड्स|शिशु',
    'बच्चा ~ उम्र|माता पिता|छोटा|हाफ टिकट',
    'बेटा|लड़का|beta|bete|son|ladka',
    'बेटी|लड़की|beti|daughter|ladki',
    'उम्र|उमर|आयु सीमा|age|umar|umr|age limit|कितने साल|kitne saal',
    'बुजुर्ग|वरिष्ठ नागरिक|सीनियर सिटीजन|senior citizen|buzurg|budhe|बूढ़े',
    'वरिष्ठ नागरिक ~ छूट|पेंशन|उम्र',
    'विद्यार्थी|छात्र|स्टूडेंट|student|chhatra|vidyarthi',
    'छात्र ~ छूट|पढ़ाई|एडमिशन|आईडी कार्ड',
    'महिला|औरत|लेडीज|mahila|ladies|women|स्त्री',
    'पुरुष|जेंट्स|male|gents|मर्द',
    'पत्नी|बीवी|wife|patni|biwi',
    'परिवार|फैमिली|family|parivar|घर वाले|घरवाले|gharwale',
    'मम्मी|maa|mummy|mother',
    'पिता|पापा|papa|father|pita',
    'माता पिता|पैरेंट्स|parents|अभिभावक|मां बाप|maa baap|guardian',
    'दोस्त ~ साथ|मेहमान|रेफर',
    'रेफर|रेफरल|refer|referral',
    'पालतू|कुत्ता|पेट्स|pets|pet|kutta|dog|पालतू जानवर',
    'पालतू: कुत्ता|बिल्ली|जानवर|dog|cat|kutta|billi|janwar',
    'दिव्यांग|विकलांग|व्हीलचेयर|wheelchair|disabled|divyang|handicapped|viklang',
    'व्हीलचेयर ~ लिफ्ट|रैंप|दिव्यांग|सीढ़ी',
    'धूम्रपान|सिगरेट|स्मोकिंग|smoking|cigarette|smoke|बीड़ी',
    'शौचालय|टॉयलेट|बाथरूम|toilet|washroom|bathroom|वॉशरूम|shauchalay',
    'फोटोग्राफी|फोटो खींचना|photography|कैमरा|camera|photo kheench',
    // Health
    'डॉक्टर|चिकित्सक|doctor|dr|डाक्टर|daktar',
    'अस्पताल|हॉस्पिटल|hospital|aspatal|क्लिनिक|clinic',
    'आपातकाल|इमरजेंसी|आपात|emergency|एमरजेंसी|आपातकालीन',
    'इमरजेंसी ~ दर्द|खून|एम्बुलेंस|रात|दुर्घटना',
    'एम्बुलेंस|ambulance|एंबुलेंस',
    'दर्द|पीड़ा|pain|dard|तकलीफ|दुख',
    'दांत|दंत|teeth|dant|tooth|डेंटिस्ट|dentist',
    'दांत दर्द ~ इमरजेंसी|अपॉइंटमेंट',
    'दवा|मेडिसिन|medicine|dawa|औषधि|davai',
    'पर्चा|प्रिस्क्रिप्शन|prescription|डॉक्टर की पर्ची|parcha|नुस्खा',
    'मरीज|पेशेंट|patient|mareez|marij',
    'नया मरीज|नए पेशेंट|new patient|पहली बार दिखाना',
    'टेस्ट|जांच|test|रिपोर्ट|janch|lab|checkup|चेकअप',
    'रिपोर्ट|report',
    'रिपोर्ट ~ टेस्ट|जांच|रिजल्ट',
    'खून|ब्लड|रक्त|blood|khoon|रक्त जांच',
    'बीमारी|रोग|bimari|disease|sick|illness',
    'इलाज|उपचार|ट्रीटमेंट|treatment|ilaj|थेरेपी',
    'टीका|वैक्सीन|टीकाकरण|vaccine|vaccination|tika',
    'गर्भवती|प्रेगनेंट|pregnant|pregnancy|प्रेग्नेंसी|गर्भावस्था',
    'बीमा|इंश्योरेंस|इन्शुरन्स|insurance|bima|beema|इंश्योरन्स',
    'बीमा ~ क्लेम|प्रीमियम|कैशलेस|दुर्घटना',
    'पॉलिसी|policy|नीति|नियम|polisi',
    'प्रीमियम|premium|बीमा किस्त',
    'दुर्घटना|एक्सीडेंट|हादसा|accident|durghatna|टक्कर',
    'कैशलेस|cashless|आयुष्मान|ayushman',
    // Education
    'एडमिशन|दाखिला|प्रवेश|admission|dakhila|नामांकन|enrollment',
    'एडमिशन: admission|admishan|दाखिला|dakhila|enroll|एनरोल',
    'एडमिशन ~ फॉर्म|फीस|सीट|आवेदन|कट ऑफ',
    'कोर्स|पाठ्यक्रम|course|kors|सिलेबस|प्रोग्राम',
    'कोर्स ~ अवधि|फीस|क्लास|बैच',
    'क्लास|कक्षा|classes|class|klas|kaksha|क्लासेज|क्लासेस|बैच',
    'बैच|batch|batches|बैचेस',
    'डेमो क्लास|ट्रायल क्लास|demo class|trial class|डेमो लेक्चर|फ्री क्लास|free class',
    'पढ़ाई|स्टडी|padhai|study|padhna|शिक्षा|सीखना',
    'पढ़ाना|टीचिंग|padhana|सिखाना|teach|padhate',
    'सीखना|लर्निंग|sikhna|seekhna|learn|sikhate|ट्रेनिंग',
    'प्रशिक्षण|ट्रेनिंग|training|कोचिंग|coaching|ट्यूशन|tuition',
    'शिक्षक|टीचर|अध्यापक|teacher|फैकल्टी|faculty|ट्रेनर',
    'परीक्षा|एग्जाम|इम्तिहान|exam|pariksha|पेपर',
    'परीक्षा ~ तारीख|रिजल्ट|एडमिट कार्ड',
    'रिजल्ट|परिणाम|नतीजा|result|parinam|मार्कशीट',
    'अंक|मार्क्स|marks|अंकपत्र|मार्कशीट|marksheet',
    'प्रमाण पत्र|सर्टिफिकेट|certificate|praman patra|प्रमाणपत्र|सर्टीफिकेट|degree',
    'प्रमाण पत्र: जाति प्रमाण पत्र|आय प्रमाण पत्र|निवास प्रमाण पत्र|जन्म प्रमाण पत्र|मृत्यु प्रमाण पत्र',
    'स्कूल|विद्यालय|school|skool|पाठशाला|vidyalaya',
    'कॉलेज|महाविद्यालय|college|विश्वविद्यालय|यूनिवर्सिटी|university',
    'छात्रवृत्ति|स्कॉलरशिप|वजीफा|scholarship|chhatravritti|स्कालरशिप',
    'हॉस्टल|छात्रावास|hostel|पीजी|pg',
    'किताब|पुस्तक|books|kitab|kitabein|pustak',
    'किताब ~ लाइब्रेरी|उधार|जारी',
    'लाइब्रेरी|पुस्तकालय|library|pustakalay',
    'ऑनलाइन क्लास|online class|लाइव क्लास|live class|रिकॉर्डेड|recorded',
    'ऑनलाइन|online|इंटरनेट से|घर बैठे|onlain|ओनलाइन',
    'ऑफलाइन|offline|सेंटर पर|क्लासरूम',
    'उपस्थिति|हाजिरी|अटेंडेंस|attendance',
    'अनुपस्थित|छूटी क्लास|क्लास छूट|missed class|absent|class miss|class chhut',
    'पात्रता|योग्यता|एलिजिबिलिटी|eligibility|eligible|yogyata|patrata|कौन कर सकता',
    'पात्रता ~ उम्र|शर्त',
    'फॉर्म|आवेदन पत्र|form|application form|प्रपत्र|फार्म',
    'आवेदन|अप्लाई|अर्जी|apply|application|aavedan|एप्लाई',
    'आवेदन ~ फॉर्म|दस्तावेज|पात्रता|स्टेटस',
    // Documents and public services
    'कागज|दस्तावेज|डॉक्यूमेंट|document|kagaz|dastavej|कागजात|डाक्यूमेंट',
    'दस्तावेज: डॉक्यूमेंट|डॉक्यूमेंट्स|डाक्यूमेंट|डॉक्युमेंट|documents|docs|dastavez|kagaz|kagzat|kagajat|पेपर्स|papers|कागज',
    'दस्तावेज ~ आधार|पैन|प्रमाण|आईडी|फोटो|क्या चाहिए|क्या लाना|kya lana|kya chahiye',
    'पहचान पत्र|आईडी प्रूफ|आईडी|id proof|id|id card|आईडी कार्ड|pehchan patra',
    'पहचान पत्र: आधार|पैन|वोटर आईडी|पासपोर्ट|ड्राइविंग लाइसेंस|aadhaar',
    'आधार|आधार कार्ड|aadhar|aadhar card',
    'पैन|पैन कार्ड|pan|pan card',
    'पासपोर्ट|passport|पास पोर्ट',
    'राशन कार्ड|राशन|ration card|ration',
    'लाइसेंस|लाइसेन्स|licence|ड्राइविंग लाइसेंस|dl',
    'परमिट|अनुमति|permission|permit|anumati|इजाजत|परमिशन|अलाउ|allowed',
    'अनुमति ~ ला सकते|allow|मना|पाबंदी',
    'मना|पाबंदी|वर्जित|mana|prohibited|प्रतिबंध|banned',
    'निवास|पता प्रमाण|address proof|niwas|रेजिडेंस',
    'जन्म|birth|janm|जन्मतिथि|date of birth|dob',
    'मृत्यु|मौत|देहांत|death|mrityu|निधन',
    'नाम|name|naam|नेम',
    'हस्ताक्षर|सिग्नेचर|दस्तखत|signature',
    'कचरा|कूड़ा|waste|kachra|kooda|garbage',
    'सफाई|स्वच्छता|cleaning|safai|क्लीनिंग',
    'घर बदल|शिफ्टिंग|मकान बदल|पता बदल|shifting|ghar badal|address change|moving',
    'योजना|स्कीम|yojana|scheme',
    'पेंशन|pension|penshan|वृद्धावस्था',
    'पुलिस|police|एफआईआर',
    'नियम|शर्त|rules|terms|niyam|नियम कानून|conditions',
    // Money and banking
    'बैंक खाता|bank account|बचत खाता|saving account|savings account|सेविंग',
    'खाता खोलना|अकाउंट खोलना|open account|account khol|khata khol|खाता खुलवाना|account opening',
    'खोलना|खुलवाना|kholna|khulwana',
    'बैलेंस|शेष|balance|बाकी पैसे|शेष राशि',
    'स्टेटमेंट|statement|पासबुक|passbook|खाता विवरण',
    'कार्ड|card|kard|कार्ड्स',
    'कार्ड: एटीएम|डेबिट कार्ड|क्रेडिट कार्ड|debit card|credit card|atm card',
    'एटीएम|atm|ए टी एम',
    'कार्ड ब्लॉक|card block|कार्ड बंद|card band|कार्ड खो|card kho|कार्ड गुम|कार्ड चोरी',
    'पिन|pin|पिन नंबर|mpin',
    'ट्रांसफर|हस्तांतरण|transfer|पैसे भेज|paise bhej|money transfer',
    'विड्रॉल|निकासी|withdraw|withdrawal|पैसे निकाल|paise nikal',
    'जमा|डिपॉजिट|deposit|jama|जमा करना',
    'लोन|ऋण|कर्ज|loan|karz|karja|उधार|लोन्स',
    'लोन ~ ब्याज|ईएमआई|किस्त|पात्रता',
    'ब्याज|इंटरेस्ट|interest|byaj|सूद|ब्याज दर|interest rate',
    'एफडी|फिक्स्ड डिपॉजिट|fd|fixed deposit|सावधि जमा',
    'चेक|चेकबुक|cheque|चेक बुक|cheque book',
    'नेट बैंकिंग|इंटरनेट बैंकिंग|net banking|internet banking|netbanking',
    'मोबाइल बैंकिंग|mobile banking',
    'इनकम टैक्स|आयकर|आईटीआर|itr|income tax|टैक्स रिटर्न|tax return',
    'रिटर्न भरना|टैक्स भरना|itr file|itr bharna|tax file|रिटर्न फाइल',
    'आमदनी|इनकम|income|aamdani',
    'वेतन|सैलरी|तनख्वाह|salary|vetan|पगार',
    'धोखा|फ्रॉड|ठगी|fraud|dhokha|scam|धोखाधड़ी|स्कैम',
    'फ्रॉड ~ ब्लॉक|ओटीपी|शिकायत|अनजान',
    'गुम|खो गया|खो दिया|kho gayi|lost|gum|kho gaya|गायब|गुम हो|खोया',
    'गुम ~ चोरी|डुप्लीकेट|ब्लॉक',
    'चोरी|चुरा|stolen|chori|theft|chori ho gaya',
    'डुप्लीकेट|दूसरी कॉपी|duplicate|नया कार्ड',
    // Telecom and utilities
    'सिम|sim|सिम कार्ड|sim card',
    'पोर्ट|port|mnp|नंबर पोर्ट|कंपनी बदल',
    'रिचार्ज|recharge|टॉप अप|topup|ricarge|रीचार्ज',
    'इंटरनेट|नेट|internet|net|डेटा|ब्रॉडबैंड|broadband',
    'इंटरनेट ~ स्पीड|राउटर|वाईफाई|धीमा|नेटवर्क',
    'स्पीड|गति|speed|रफ्तार|slow|धीमा|स्लो',
    'धीमा|स्लो|slow|dheema|धीरे',
    'राउटर|मॉडेम|router|modem|wifi box',
    'नेटवर्क|सिग्नल|network|signal|कवरेज|coverage|टावर',
    'रोमिंग|roaming|विदेश में नेटवर्क',
    'कनेक्शन|connection|कनेक्सन|konekshan|नया कनेक्शन',
    'बिजली|लाइट|विद्युत|bijli|electricity|light|पावर',
    'बिजली नहीं|बिजली गई|लाइट नहीं|light nahi|bijli nahi|power cut|बिजली कट|लाइट गई|पावर कट',
    'मीटर|meter|रीडिंग|reading',
    'मीटर ~ बिजली|बिल|रीडिंग',
    'ज्यादा बिल|बिल ज्यादा|बिल गलत|bill zyada|bill jyada|bill galat|अधिक बिल',
    'गैस|सिलेंडर|gas|cylinder|रसोई गैस|lpg',
    'पानी नहीं|जल आपूर्ति|पानी कनेक्शन|pani nahi|water supply',
    'ट्रांसफर नाम|नाम बदल|नामांतरण|name change|naam badal|नाम परिवर्तन',
    // Jobs, repair, rent, security
    'नौकरी|जॉब|भर्ती|job|naukri|vacancy|वैकेंसी|jobs|रोजगार',
    'नौकरी ~ आवेदन|बायोडाटा|सैलरी|इंटरव्यू',
    'बायोडाटा|रिज्यूमे|सीवी|resume|cv|biodata',
    'इंटर्नशिप|internship|इंटर्न|intern',
    'इंटरव्यू|साक्षात्कार|interview',
    'अनुभव|एक्सपीरियंस|experience|anubhav',
    'मरम्मत|रिपेयर|ठीक करना|repair|marammat|रिपेयरिंग|theek karna|thik karwana|ठीक करवाना|सुधारना|repairing',
    'मरम्मत ~ खराब|टूटा|सर्विस|मैकेनिक',
    'सर्विस सेंटर|service center|service centre|सर्विसिंग|servicing',
    'सर्विस|सेवा|service|seva|सर्विसेज',
    'मैकेनिक|टेक्नीशियन|मिस्त्री|mechanic|technician|mistri|इंजीनियर',
    'पुर्जे|पार्ट्स|स्पेयर पार्ट|parts|spare parts|पार्ट',
    'बैटरी|battery|बैट्री',
    'चार्जर|charger|charjar',
    'रखरखाव|मेंटेनेंस|देखभाल|maintenance|rakhrakhav',
    'किराया|भाड़ा|रेंट|rent|kiraya|rental|bhada',
    'किराया ~ जमानत|मकान',
    'किराए पर लेना|भाड़े पर लेना|rent par lena|kiraye par|किराये पर|hire',
    'किराएदार|tenant|किरायेदार|kirayedar',
    'मकान|फ्लैट|flat|makan|house|apartment|मकान मालिक',
    'प्रॉपर्टी|संपत्ति|property|sampatti|जायदाद',
    'साइट विजिट|घर देखना|site visit|फ्लैट देखना',
    'एग्रीमेंट|अनुबंध|करार|agreement|contract|कॉन्ट्रैक्ट|समझौता',
    'चाबी|key|keys|chabi|ताला|lock',
    'खोया पाया|lost and found|सामान छूट|saman chhut|सामान भूल|भूल गया सामान',
    'सामान छूट|सामान भूल|saman bhool|kuch bhool',
    'जिम|gym|व्यायाम|वर्कआउट|workout|कसरत|exercise|फिटनेस',
    'ट्रेनर|कोच|trainer|coach|पर्सनल ट्रेनर',
    'योग|yoga|yog',
    'सैलून|पार्लर|salon|parlour|बाल कटवाना|haircut|hair cut',
    'ट्रांसफर|दूसरे के नाम|किसी और के नाम|transfer',
    'कलेक्ट|collect|पिकअप|दुकान से लेना|स्टोर से लेना|dukan se lena|खुद लेने|store pickup',
    'लेकर आना|ले आना|lana|bring|साथ में ला',
    'ला सकते|la sakte|laa sakte|lekar aa sakte|ले आ सकते|leke aa sakte|allowed|अनुमति',
    'पहनना|पहनावा|pehnna|कपड़े|wear|ड्रेस कोड',
    'शुरू|आरंभ|स्टार्ट|start|shuru|प्रारंभ|चालू|starting',
    'खत्म|समाप्त|khatam|खतम|end|finish',
    'बढ़ाना|एक्सटेंड|extend|badhana|आगे बढ़ाना|extension',
    'स्वीकार|एक्सेप्ट|accept|मान्य',
    'स्वीकार ~ चलेगा|chalta|chalega|लेते',
    'मंजूर|स्वीकृत|अप्रूव|approve|approval|manjoor',
    'अस्वीकार|रिजेक्ट|नामंजूर|reject|rejected|खारिज',
    'कन्फर्म|पुष्टि|confirm|confirmation|pakka|पक्का|कन्फर्मेशन',
    'शामिल|इंक्लूड|included|shamil',
    'संख्या|कितने लोग|kitne log|लोगों की संख्या',
    'ज्यादा|अधिक|बहुत|jyada|more',
    'मालिक|ओनर|owner|malik',
    'ग्राहक|कस्टमर|उपभोक्ता|customer|grahak|कंज्यूमर',
    'ग्राहक ~ सेवा|हेल्पलाइन',
    'यूजर|users|user|उपयोगकर्ता',
    'यूजर ~ टीम|जोड़ना',
  ],
};
